import { tearDown } from '../support/suite.mts';

export default tearDown;
