// The end-to-end tests of the main flow must also pass in hard mode.
import { useHardMode } from '../support/sandboxService.mts';
import './main-flow.test.mts';

useHardMode();
