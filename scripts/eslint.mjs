// What n8n's own eslint.config.mjs does not cover, which strict mode requires unchanged. The folders
// of the workspace have an eslint.config.mjs with these rules, so that editors find them.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['**/node_modules/**'] },
	{
		// A file of the product can be read in one sitting, and nothing in it switches a rule off.
		files: ['{nodes,credentials}/**/*.ts'],
		// Each module is imported once, types and all.
		languageOptions: { parser: tseslint.parser },
		plugins: { '@typescript-eslint': tseslint.plugin },
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: {
			'max-lines': ['error', 170],
			'no-duplicate-imports': 'error',
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
		},
	},
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
		// One program for all folders takes a third of the time of one for each.
		languageOptions: { parserOptions: { project: `${import.meta.dirname}/tsconfig.json` } },
		rules: { '@typescript-eslint/consistent-type-imports': 'error' },
	},
);
