import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { installNodePackage, nodesFolder } from '../../sandbox/n8n/nodePackage.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { setUpVersion } from '../support/versions.mts';

/**
 * An n8n before 2.39 whose folder of community nodes has the newer n8n-workflow of this checkout, as
 * another package could have brought it. Our package finds that one before n8n's own.
 */
export default setUpVersion(
	() => '2.20.0',
	async (userFolder, installation) => {
		await installNodePackage(userFolder, installation);
		const library = path.join('node_modules', 'n8n-workflow');
		const shadow = path.join(nodesFolder(userFolder), library);
		await symlink(path.join(root, library), shadow, 'junction');
	},
);
