import { newestVersion, setUpVersion } from '../support/versions.mts';

/** The newest n8n version that npm has. */
export default setUpVersion(newestVersion);
