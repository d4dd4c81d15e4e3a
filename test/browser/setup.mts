import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setUp, startN8nAndService } from '../runner/suite.mts';
import { ensureChromium } from '../support/chromium.mts';
import { pictures, profile } from './support/folders.mts';

/** A whole n8n, the service, and Chromium with an empty profile. */
export default setUp(async (folder) => {
	// What an earlier run has left would be taken for this run's.
	for (const left of [profile, pictures]) {
		await rm(left, { recursive: true, force: true });
		await mkdir(left, { recursive: true });
	}
	const browser = await ensureChromium(console.log, path.join(folder, 'chromium.log'));
	return { ...(await startN8nAndService(folder)), browser };
});
