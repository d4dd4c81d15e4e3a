// `npm run bench -- verify`: the package's signature check compared with a bare HMAC over the same
// bytes, for realistic bodies and numbers of secrets.
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import type * as verification from '../nodes/DataCollection/service/signature.ts';
import { Failure } from '../sandbox/shared/failure.mts';
import { root } from '../sandbox/shared/paths.mts';
import { amount, runBench, type Report, type Row } from './support/report.mts';
import { ratios, spreadOf, written } from './support/statistics.mts';

type Verification = typeof verification;

const sizes = [200, 1_000, 16_384, 262_144, 1_048_576];
const numbersOfSecrets = [1, 2, 10];
const rounds = amount(21, 3);
/** Approximate milliseconds of one measurement. */
const slice = amount(30, 3);

const timestamp = '1763719230456';

/** Computes and compares as a minimal program would; returns whether one secret matches. */
function bare(secrets: readonly string[], body: Buffer, signature: string): boolean {
	let fits = false;
	for (const secret of secrets) {
		const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body);
		if (hmac.digest('hex') === signature) fits = true;
	}
	return fits;
}

/** Microseconds of processor time for one call; each must return `expected`. */
function time(call: () => boolean, expected: boolean, times: number): number {
	let right = 0;
	const start = process.cpuUsage();
	for (let index = 0; index < times; index += 1) if (call() === expected) right += 1;
	const { user, system } = process.cpuUsage(start);
	const taken = user + system;
	if (right !== times) throw new Failure(`${times - right} of ${times} signatures judged wrongly`);
	return taken / times;
}

/** Bytes that one call allocates, in the heap or outside: a median, as garbage is collected. */
function bytesTaken(call: () => boolean): number {
	const taken = Array.from({ length: 21 }, () => {
		const before = process.memoryUsage();
		call();
		const after = process.memoryUsage();
		return after.heapUsed + after.external - before.heapUsed - before.external;
	});
	return spreadOf(taken).median;
}

/** Measures one body size with a number of secrets. */
function measure(isSignedBy: Verification['isSignedBy'], size: number, number: number) {
	const body = Buffer.alloc(size, 'a collection request was completed; ');
	const secrets = Array.from({ length: number }, (_, index) => `secret-${index}-of-the-bench`);
	const sign = (secret: string) =>
		createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
	const message = (signature: string) => ({ timestamp, body, signature });
	// The last secret signs, so that all secrets have to be tried.
	const genuine = message(sign(secrets.at(-1) ?? ''));
	const forged = message(sign('another'));
	const ours = () => isSignedBy(secrets, genuine);
	const theirs = () => bare(secrets, body, genuine.signature);

	const times = Math.max(3, Math.round(slice / (time(theirs, true, 20) / 1e3)));
	time(ours, true, times);
	time(() => isSignedBy(secrets, forged), false, times);
	const microseconds = { package: [] as number[], bare: [] as number[] };
	for (let round = 0; round < rounds; round += 1) {
		microseconds.package.push(time(ours, true, times));
		microseconds.bare.push(time(theirs, true, times));
	}
	const bytes = { package: bytesTaken(ours), bare: bytesTaken(theirs) };
	if (size >= 16_384 && bytes.package - bytes.bare > size / 2) {
		throw new Failure(`The check of ${size} bytes takes ${bytes.package}: it copies the body.`);
	}
	return { size, secrets: number, microseconds, bytes };
}

function main(): Report {
	// Measures the current source.
	execFileSync('npm', ['run', 'build'], { cwd: root });
	const compiled = path.join(root, 'dist/nodes/DataCollection/service/signature.js');
	const { isSignedBy } = createRequire(import.meta.url)(compiled) as Verification;
	const raw = sizes.flatMap((size) =>
		numbersOfSecrets.map((number) => measure(isSignedBy, size, number)),
	);
	const rows = raw.map(({ size, secrets, microseconds, bytes }): Row => ({
		Bytes: size.toLocaleString('en'),
		Secrets: secrets,
		'Bare, µs': written(spreadOf(microseconds.bare), 1),
		'Package, µs': written(spreadOf(microseconds.package), 1),
		Ratio: written(ratios(microseconds.package, microseconds.bare)),
		'Bytes taken, bare': bytes.bare.toLocaleString('en'),
		Package: bytes.package.toLocaleString('en'),
	}));
	const usual = raw.filter(({ size, secrets }) => size === 1_000 && secrets === 1);
	const promised = usual.flatMap(({ microseconds, bytes }) => [
		{
			what: '1 kB, against a bare HMAC',
			value: ratios(microseconds.package, microseconds.bare).median,
			atMost: 1.4,
		},
		// Bytes vary less than time: one more copy of the signature in hex already shows.
		{ what: '1 kB, bytes taken', value: bytes.package, atMost: 1_000 },
	]);
	return { tables: [rows], raw, promised };
}

await runBench('verify', 'half a minute', main);
