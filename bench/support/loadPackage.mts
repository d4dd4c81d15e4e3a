// Loads one community package as n8n does, in a separate process, and prints what that took.
import { PackageDirectoryLoader } from 'n8n-core';

const [folder = ''] = process.argv.slice(2);
const memory = () => {
	globalThis.gc?.();
	return process.memoryUsage().rss / 1024 ** 2;
};

const before = memory();
const start = process.hrtime.bigint();
const loader = new PackageDirectoryLoader(folder);
await loader.loadAll();
const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
const nodes = loader.types.nodes.length;
process.stdout.write(JSON.stringify({ milliseconds, mebibytes: memory() - before, nodes }));
