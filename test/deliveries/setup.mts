import { forMany, setUp, startN8nAndService } from '../jest/suite.mts';

/** A complete n8n in one process, and the service. */
export default setUp((folder) => startN8nAndService(folder, { env: forMany }));
