import type fc from 'fast-check';

// For tests with random input. FUZZ='{"seed":2,"numRuns":1000}' tries other input, and with the seed and the
// path that a failure prints, FUZZ='{"seed":2,"path":"7:0"}' runs it again.
export const replay = JSON.parse(process.env.FUZZ ?? '{}') as fc.Parameters<unknown>;

/** Milliseconds. Beside other work, such a test takes many times as long as alone. */
export const LIMIT = 180_000;
