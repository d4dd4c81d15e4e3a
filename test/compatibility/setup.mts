import { setUpVersion } from '../support/versions.mts';

/** The n8n version that N8N_VERSION names: by default the oldest that is supported. */
export default setUpVersion(() => process.env.N8N_VERSION ?? '1.123.81');
