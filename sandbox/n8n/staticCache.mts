import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { link } from '../shared/link.mts';
import { root } from '../shared/paths.mts';

/**
 * Links `.cache` of an n8n user folder into the root's node_modules. n8n copies its editor's
 * bundles there, and the strict lint, which reads all of the checkout but node_modules and whose
 * configuration may not be changed, would otherwise parse them for minutes and refuse them.
 */
export async function moveStaticCache(userFolder: string): Promise<void> {
	const target = path.join(root, 'node_modules', '.cache', 'n8n', path.basename(userFolder));
	await mkdir(target, { recursive: true });
	await link(target, path.join(userFolder, '.cache'));
}
