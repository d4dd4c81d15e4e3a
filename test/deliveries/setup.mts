/** A separate n8n, so that both suites can run at the same time. */
export { default } from '../e2e/setup.mts';
