const { rm } = require('node:fs/promises');
const { dest, src, series, task } = require('gulp');

task('clean', () => rm('dist', { recursive: true, force: true }));

// gulp waits for a returned stream; encoding: false keeps the bytes as they are.
task('icons', () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons')));
task('codex', () => src('nodes/**/*.node.json', { encoding: false }).pipe(dest('dist/nodes')));
task('schemas', () =>
	src('nodes/**/__schema__/**/*.json', { encoding: false }).pipe(dest('dist/nodes')),
);

task('assets', series('icons', 'codex', 'schemas'));
