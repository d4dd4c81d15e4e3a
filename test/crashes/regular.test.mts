import { testScenarios } from './scenarios.mts';

testScenarios('regular');
