import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { wrongCommands } from '../engine/support/commands.mts';
import { yaml } from '../engine/support/github.mts';
import { ROOT } from '../engine/support/markdown.mts';

interface Step {
	name?: string;
	uses?: string;
	run?: string;
	if?: string;
	env?: Record<string, string>;
	with?: Record<string, unknown>;
}

interface Job {
	steps?: Step[];
	uses?: string;
	needs?: string;
	permissions?: Record<string, string>;
	'timeout-minutes'?: number;
	strategy?: { matrix: { node: number[]; include: Array<{ node: number; without: string }> } };
}

interface Workflow {
	on: Record<string, unknown>;
	permissions?: Record<string, string>;
	concurrency?: { group: string };
	jobs: Record<string, Job>;
}

const workflow = (name: string) => yaml(`workflows/${name}.yml`) as Workflow;
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);

/** Runs a step's script as GitHub does, in a folder, and returns its exit code. */
function exitCode(step: Step | undefined, cwd: string, env: Record<string, string>): number | null {
	if (step?.run === undefined) throw new Error('There is no such step');
	const script = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run];
	return spawnSync('bash', script, { cwd, env: { ...process.env, ...env } }).status;
}

const named = (name: string, steps: Step[]) => steps.find((step) => step.name === name);

describe.each(['ci', 'publish'])('the workflow %s', (name) => {
	const { on, permissions, concurrency, jobs } = workflow(name);

	test('may read the code and nothing else, unless a job says why', () => {
		expect(permissions).toEqual({ contents: 'read' });
		const more = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
		expect(more.map(([job]) => job)).toEqual(name === 'publish' ? ['publish'] : []);
		expect(on).not.toHaveProperty('pull_request_target');
	});

	test('does not run twice at once, nor for ever', () => {
		expect(concurrency?.group).toBeTruthy();
		for (const job of Object.values(jobs)) {
			if (job.uses === undefined) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
		}
	});

	test('uses actions of GitHub itself by version, and workflows that exist', () => {
		const used = [...Object.values(jobs), ...stepsOf({ on, jobs })].flatMap(({ uses }) =>
			uses === undefined ? [] : [uses],
		);
		expect(used.length).toBeGreaterThan(1);
		for (const action of used) {
			if (action.startsWith('./')) expect(existsSync(join(ROOT, action))).toBe(true);
			else expect(action).toMatch(/^actions\/[\w-]+@(v\d+|[0-9a-f]{40})$/);
		}
	});

	test('runs npm scripts and files that exist', () => {
		const scripts = stepsOf({ on, jobs }).flatMap(({ run }) => run ?? []);
		expect(scripts.length).toBeGreaterThan(1);
		expect(scripts.flatMap(wrongCommands)).toEqual([]);
	});

	test('puts no name of a branch or tag into a script, where it could be code', () => {
		for (const { run = '' } of stepsOf({ on, jobs })) expect(run).not.toContain('${{');
	});
});

describe('CI', () => {
	const { on, jobs } = workflow('ci');

	test('runs for main, pull requests and the release', () => {
		expect(Object.keys(on)).toEqual(['push', 'pull_request', 'workflow_call']);
	});

	test('tests the product on Node 20, 22 and 24', () => {
		const matrix = jobs.product?.strategy?.matrix;
		expect(matrix?.node).toEqual([20, 22, 24]);
		for (const { without } of matrix?.include ?? []) {
			expect(existsSync(join(ROOT, `test/engine/${without}.mts`))).toBe(true);
		}
	});

	test('and fails when the Node that runs is another one', () => {
		const steps = jobs.product?.steps ?? [];
		const step = steps.find(({ name = '' }) => name.startsWith('This is Node'));
		const [major = ''] = process.versions.node.split('.');
		const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
		expect(exitCode(step, ROOT, { PATH: path, WANTED: major })).toBe(0);
		expect(exitCode(step, ROOT, { PATH: path, WANTED: String(Number(major) + 1) })).toBe(1);
		// An npm script would run on the Node in node_modules instead.
		const afterwards = steps.slice(steps.indexOf(step ?? {}));
		for (const { run = '' } of afterwards) expect(run).not.toMatch(/\bnp[mx] /);
	});

	test('keeps what failing tests leave behind', () => {
		const uploads = stepsOf({ on, jobs }).filter(({ uses = '' }) => uses.includes('upload'));
		expect(uploads.map((step) => step.if)).toEqual(['failure()', 'failure()', 'failure()']);
	});
});

describe('publishing', () => {
	const { on, jobs } = workflow('publish');
	let folder: string;

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'publish-'));
		writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.2.3' }));
		writeFileSync(join(folder, 'CHANGELOG.md'), '## [Unreleased]\n\n## [1.2.3] - 2026-01-01\n');
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	test('starts with a tag only, and waits for the same tests as every change', () => {
		expect(on).toEqual({ push: { tags: ['v*'] } });
		expect(jobs.test).toMatchObject({ needs: 'version', uses: './.github/workflows/ci.yml' });
		expect(jobs.publish?.needs).toBe('test');
	});

	test('has what npm needs for a provenance statement, in the job that publishes alone', () => {
		expect(jobs.publish?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
		expect(jobs.publish?.steps?.at(-1)?.run).toBe('npm run release');
	});

	test.each([
		['v1.2.3', 0],
		['v1.2.4', 1],
		['1.2.3', 1],
	])('the tag %s of version 1.2.3 ends with %i', (tag, code) => {
		const step = named('The tag equals the version in package.json', jobs.version?.steps ?? []);
		expect(exitCode(step, folder, { TAG: tag })).toBe(code);
	});

	test.each([
		['v1.2.3', 0],
		['v1.2', 1],
		['v1x2x3', 1],
	])('the changelog for %s ends with %i', (tag, code) => {
		const step = named('The changelog has this version', jobs.version?.steps ?? []);
		expect(exitCode(step, folder, { TAG: tag })).toBe(code);
	});

	test.each([['a-token'], ['']])(
		'a token "%s" goes into the configuration, none does not',
		(token) => {
			const step = named('Use a token, if there is one', jobs.publish?.steps ?? []);
			const config = join(folder, '.npmrc');
			rmSync(config, { force: true });
			const env = { NPM_TOKEN: token, NPM_CONFIG_USERCONFIG: config };
			const registry = 'https://registry.example.com/npm/';
			expect(exitCode(step, folder, { ...env, NPM_CONFIG_REGISTRY: registry })).toBe(0);
			const wanted = token && `//registry.example.com/npm/:_authToken=${token}`;
			expect(existsSync(config) ? readFileSync(config, 'utf8').trim() : '').toBe(wanted);
		},
	);
});
