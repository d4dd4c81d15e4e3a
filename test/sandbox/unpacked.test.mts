import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpackedPackages } from '../../sandbox/n8n/unpacked.mts';

const folder = mkdtempSync(path.join(tmpdir(), 'unpacked-'));
afterAll(() => rm(folder, { recursive: true }));

test('the progress of an installation is the number of its packages that are unpacked', async () => {
	const names = ['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/@c/c'];
	const packages: Record<string, object> = { '': { name: 'all' } };
	for (const name of names) packages[name] = { version: '1.0.0' };
	packages['node_modules/for-another-system'] = { version: '1.0.0', optional: true };
	await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify({ packages }));
	const progress = await unpackedPackages(folder);
	expect(progress()).toBe('0 of 3 packages');
	for (const [index, name] of names.entries()) {
		// npm makes the folder of a package long before its content is there.
		await mkdir(path.join(folder, name), { recursive: true });
		expect(progress()).toBe(`${index} of 3 packages`);
		await writeFile(path.join(folder, name, 'package.json'), '{}');
		expect(progress()).toBe(`${index + 1} of 3 packages`);
	}
});
