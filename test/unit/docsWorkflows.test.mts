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

/** Runs the script of the step whose name begins so as GitHub does, and returns its exit code. */
function exitCode(job: Job | undefined, name: string, cwd: string, env: Record<string, string>) {
	const step = job?.steps?.find((candidate) => candidate.name?.startsWith(name));
	if (step?.run === undefined) throw new Error(`There is no step "${name}"`);
	const script = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run];
	return spawnSync('bash', script, { cwd, env: { ...process.env, ...env } }).status;
}

describe.each(['ci', 'publish'])('the workflow %s', (name) => {
	const { on, permissions, concurrency, jobs } = workflow(name);
	const all = Object.entries(jobs);
	const steps = stepsOf({ on, jobs });

	test('may read the code and nothing else, unless a job says why', () => {
		expect(permissions).toEqual({ contents: 'read' });
		const more = all.filter(([, job]) => job.permissions !== undefined).map(([job]) => job);
		expect(more).toEqual(name === 'publish' ? ['publish'] : []);
		expect(on).not.toHaveProperty('pull_request_target');
	});

	test('does not run twice at once, nor for ever', () => {
		expect(concurrency?.group).toBeTruthy();
		for (const [, job] of all.filter(([, { uses }]) => uses === undefined)) {
			expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
		}
	});

	test('uses actions of GitHub itself by version, and workflows that exist', () => {
		const used = [...all.map(([, job]) => job), ...steps].flatMap(({ uses }) => uses ?? []);
		expect(used.length).toBeGreaterThan(1);
		for (const action of used) {
			if (action.startsWith('./')) expect(existsSync(join(ROOT, action))).toBe(true);
			else expect(action).toMatch(/^actions\/[\w-]+@(v\d+|[0-9a-f]{40})$/);
		}
	});

	test('runs npm scripts and files that exist, and no name of a branch or tag as code', () => {
		const scripts = steps.flatMap(({ run }) => run ?? []);
		expect(scripts.length).toBeGreaterThan(1);
		expect(scripts.flatMap(wrongCommands)).toEqual([]);
		expect(scripts.join('\n')).not.toContain('${{');
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
		const [major = ''] = process.versions.node.split('.');
		const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
		const codeFor = (WANTED: string) =>
			exitCode(jobs.product, 'This is Node', ROOT, { PATH: path, WANTED });
		expect([codeFor(major), codeFor(String(Number(major) + 1))]).toEqual([0, 1]);
		// An npm script would run on the Node in node_modules instead.
		const steps = jobs.product?.steps ?? [];
		const checked = steps.findIndex(({ name = '' }) => name.startsWith('This is Node'));
		for (const { run = '' } of steps.slice(checked)) expect(run).not.toMatch(/\bnp[mx] /);
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
		['The tag equals the version', 'v1.2.3', 0],
		['The tag equals the version', 'v1.2.4', 1],
		['The tag equals the version', '1.2.3', 1],
		['The changelog has this version', 'v1.2.3', 0],
		['The changelog has this version', 'v1.2', 1],
		['The changelog has this version', 'v1x2x3', 1],
	])('%s: for %s of version 1.2.3 it ends with %i', (step, tag, code) => {
		expect(exitCode(jobs.version, step, folder, { TAG: tag })).toBe(code);
	});

	test.each(['a-token', ''])('a token "%s" goes into the configuration, none does not', (token) => {
		const config = join(folder, '.npmrc');
		rmSync(config, { force: true });
		const code = exitCode(jobs.publish, 'Use a token, if there is one', folder, {
			NPM_TOKEN: token,
			NPM_CONFIG_USERCONFIG: config,
			NPM_CONFIG_REGISTRY: 'https://registry.example.com/npm/',
		});
		const written = existsSync(config) ? readFileSync(config, 'utf8').trim() : '';
		const wanted = token && `//registry.example.com/npm/:_authToken=${token}`;
		expect([code, written]).toEqual([0, wanted]);
	});
});
