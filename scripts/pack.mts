// `npm run pack`: builds and packs the package; the last line is the path of the tarball. npm runs it
// with --build before it, and before `npm pack` and `npm publish`: no package leaves without its code.
import { buildNodePackage, packNodePackage } from '../sandbox/n8n/nodePackage.mts';
import { runCommand } from '../sandbox/shared/lifetime.mts';

await runCommand(async () => {
	if (process.argv[2] === '--build') await buildNodePackage();
	else console.log(await packNodePackage());
	return 0;
}, 1);
