import { testScenarios } from './support/scenarios.mts';

testScenarios('queue');
