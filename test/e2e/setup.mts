import { setUp, startOwnN8n, withService } from '../support/n8n.mts';

/** A complete n8n in one process, and the service. */
export default setUp(async (folder) => await withService(await startOwnN8n(folder)));
