// Checks all that n8n's own lint does not, by eslint.mjs, and the types of all but the product, which the
// build checks. The rules need the types, too: together, both take two thirds of their time.
import path from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

const root = path.dirname(import.meta.dirname);
const host = {
	...ts.sys,
	onUnRecoverableConfigFileDiagnostic: ({ messageText }: ts.Diagnostic) => {
		throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
	},
};
const file = path.join(import.meta.dirname, 'tsconfig.json');
const { fileNames = [], options = {} } = ts.getParsedCommandLineOfConfigFile(file, {}, host) ?? {};
// The rules go from a node to its parent.
const program = ts.createProgram(fileNames, options, ts.createCompilerHost(options, true));

const eslint = new ESLint({
	cwd: root,
	overrideConfigFile: path.join(import.meta.dirname, 'eslint.mjs'),
	overrideConfig: {
		files: ['**/*.mts'],
		languageOptions: { parserOptions: { programs: [program], project: null } },
	},
});
const folders = ['nodes', 'credentials', 'sandbox', 'test', 'scripts', 'bench'];
const results = await eslint.lintFiles([...folders, '*.js', '*.mjs']);
const diagnostics = ts.getPreEmitDiagnostics(program);
const formatter = await eslint.loadFormatter();
const wrong = await formatter.format(results);
console.log(wrong + ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));
process.exitCode = wrong === '' && diagnostics.length === 0 ? 0 : 1;
