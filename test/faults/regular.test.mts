import path from 'node:path';
import { root } from '../../sandbox/shared/paths.mts';
import { startRegular } from '../deployment/regular.mts';
import { testScenarios } from './support/scenarios.mts';

const folder = path.join(root, '.faults', 'regular');

testScenarios('regular', () => startRegular({ folder, log: console.log }));
