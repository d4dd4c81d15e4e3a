import { tearDown } from '../support/n8n.mts';

export default tearDown;
