import { forMany, setUp, startN8nAndService } from '../jest/suite.mts';
import { prepareChromium } from '../support/chromium.mts';

/** A complete n8n, the service, and Chromium. */
export default setUp(async (folder) => {
	const browser = await prepareChromium('browser');
	return { ...(await startN8nAndService(folder, { env: forMany })), browser };
});
