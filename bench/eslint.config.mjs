export { default } from '../scripts/eslint.mjs';
