import { setUp, startQueue } from '../support/n8n.mts';

/** n8n's queue mode. What the editor starts runs on workers, as n8n 3.0 always does. */
export default setUp(startQueue);
