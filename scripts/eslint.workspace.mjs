// Lints everything except the product: the sandbox, tests, benchmarks, scripts and configuration.
// The product is linted with n8n's own eslint.config.mjs, which strict mode requires unchanged.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['**/node_modules/**', 'dist/**', '.state/**'] },
	{
		files: ['**/*.{js,mjs,cjs}'],
		...js.configs.recommended,
		languageOptions: {
			globals: {
				console: 'readonly',
				module: 'writable',
				process: 'readonly',
				require: 'readonly',
				setInterval: 'readonly',
				setTimeout: 'readonly',
			},
		},
	},
	{
		files: ['**/*.mts'],
		extends: [js.configs.recommended, ...tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: { project: 'tsconfig.workspace.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/consistent-type-imports': 'error',
		},
	},
);
