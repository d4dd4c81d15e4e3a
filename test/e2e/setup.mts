import { setUp, sharedOf, startOwnN8n } from '../support/n8n.mts';

/** A complete n8n in one process. */
export default setUp(async (folder) => sharedOf(await startOwnN8n(folder)));
