import { testScenarios } from './scenarios.mts';

testScenarios('queue');
