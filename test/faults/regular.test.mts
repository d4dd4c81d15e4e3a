import { testScenarios } from './support/scenarios.mts';

testScenarios('regular');
