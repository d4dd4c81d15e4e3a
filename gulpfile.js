const { rm } = require('node:fs/promises');
const { dest, series, src } = require('gulp');

/** Files that n8n reads as they are: icons, codex files and output previews. */
const STATIC = ['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];

/** Empties dist, so that nothing of an earlier build is published. */
const clean = async () => await rm('dist', { recursive: true, force: true });

const copy = () => src(STATIC, { base: '.', encoding: false }).pipe(dest('dist'));

module.exports = { 'build:static': series(clean, copy) };
