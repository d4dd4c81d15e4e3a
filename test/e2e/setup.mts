import { startOwnN8n, withService } from '../support/n8n.mts';
import { setUp } from '../support/suite.mts';

/** A complete n8n in one process, and the service: for e2e, deliveries and browser together. */
export default setUp('e2e', async (folder) => await withService(await startOwnN8n(folder)));
