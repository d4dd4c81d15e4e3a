// Lets jest's own runner load the TypeScript of the product and the tests as CommonJS, for which
// it isolates the modules of each test file. oxlint checks the types.
import { createHash } from 'node:crypto';
import ts from 'typescript';

const compilerOptions = {
	module: ts.ModuleKind.CommonJS,
	target: ts.ScriptTarget.ES2023,
	esModuleInterop: true,
	sourceMap: true,
};

function process(source, file) {
	const text = source.replaceAll('import.meta.dirname', '__dirname');
	// TypeScript would keep a file named .mts as an ES module.
	const fileName = file.replace(/\.mts$/, '.ts');
	const { outputText, sourceMapText } = ts.transpileModule(text, { fileName, compilerOptions });
	return { code: outputText, map: { ...JSON.parse(sourceMapText), sources: [file] } };
}

const version = `${ts.version} ${JSON.stringify(compilerOptions)} ${process.toString()}`;
const getCacheKey = (source, file) =>
	createHash('sha256').update(`${version}\0${file}\0${source}`).digest('hex');

export default { process, getCacheKey };
