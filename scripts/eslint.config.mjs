export { default } from './eslint.mjs';
