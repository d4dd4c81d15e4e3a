import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wrongCommands } from '../support/commands.mts';
import { files, manifest, yaml } from '../support/github.mts';
import { ROOT, textFile } from '../support/markdown.mts';

interface Job {
	steps?: Array<{ name?: string; uses?: string; run?: string }>;
	uses?: string;
	permissions?: Record<string, string>;
	'timeout-minutes'?: number;
	strategy?: { matrix: { node: number[]; include: Array<{ without: string }> } };
}

interface Workflow {
	on: Record<string, unknown>;
	permissions?: Record<string, string>;
	concurrency?: { group: string };
	jobs: Record<string, Job>;
}

const workflow = (name: string) => yaml(`workflows/${name}.yml`) as Workflow;

/** Runs the script of the step whose name begins with `name` as GitHub does; returns its exit code. */
function exitCode(job: Job | undefined, name: string, cwd: string, env: Record<string, string>) {
	const step = job?.steps?.find((candidate) => candidate.name?.startsWith(name));
	if (step?.run === undefined) throw new Error(`There is no step "${name}"`);
	const script = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run];
	return spawnSync('bash', script, { cwd, env: { ...process.env, ...env } }).status;
}

test.each(files)('%s is YAML that a strict parser takes', (name) => {
	expect(yaml(name)).toBeInstanceOf(Object);
});

describe.each(['ci', 'publish', 'weekly'])('the workflow %s', (name) => {
	const { on, permissions, concurrency, jobs } = workflow(name);
	const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

	test('may read the code and nothing else, unless a job says why', () => {
		expect(permissions).toEqual({ contents: 'read' });
		const more = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
		expect(more.map(([job]) => job)).toEqual(name === 'publish' ? ['publish'] : []);
		expect(on).not.toHaveProperty('pull_request_target');
	});

	test('does not run twice at once, nor for ever', () => {
		expect(concurrency?.group).toBeTruthy();
		const own = Object.values(jobs).filter(({ uses }) => uses === undefined);
		for (const job of own) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
	});

	test('uses actions of GitHub itself by commit, and workflows that exist', () => {
		const used = [...Object.values(jobs), ...steps].flatMap(({ uses }) => uses ?? []);
		expect(used.length).toBeGreaterThan(0);
		for (const action of used) {
			if (action.startsWith('./')) expect(existsSync(join(ROOT, action))).toBe(true);
			else expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
		}
	});

	test('runs npm scripts and files that exist, and no name of a branch or tag as code', () => {
		const scripts = steps.flatMap(({ run }) => run ?? []);
		expect(scripts.length).toBeGreaterThan(0);
		expect(scripts.flatMap(wrongCommands)).toEqual([]);
		expect(scripts.join('\n')).not.toContain('${{');
	});
});

describe('CI', () => {
	const { on, jobs } = workflow('ci');

	test('runs commands that exist in a real n8n, from one list', () => {
		const suites = textFile('.ci/suites').match(/^\d npm run .+$/gm) ?? [];
		expect(suites.length).toBeGreaterThan(5);
		expect(suites.flatMap(wrongCommands)).toEqual([]);
	});

	test('tests the product on Node 20, 22 and 24, for main, pull requests and the release', () => {
		expect(Object.keys(on)).toEqual(['push', 'pull_request', 'workflow_call']);
		const { node, include } = jobs.product?.strategy?.matrix ?? { node: [], include: [] };
		expect(node).toEqual([20, 22, 24]);
		const left = include.map(({ without }) => join(ROOT, `test/engine/${without}.mts`));
		expect(left.filter((file) => !existsSync(file))).toEqual([]);
	});
});

describe('publishing', () => {
	const { on, jobs } = workflow('publish');
	const folder = mkdtempSync(join(tmpdir(), 'publish-'));
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.2.3' }));
	writeFileSync(join(folder, 'CHANGELOG.md'), '## [Unreleased]\n\n## [1.2.3] - 2026-01-01\n');
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	test('waits for the tests of every change, and has what npm needs for a provenance statement', () => {
		expect(on).toEqual({ push: { tags: ['v*'] } });
		expect(jobs).toMatchObject({
			test: { needs: 'version', uses: './.github/workflows/ci.yml' },
			publish: { needs: 'test', permissions: { contents: 'read', 'id-token': 'write' } },
		});
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
		const config = join(folder, `${token}.npmrc`);
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

test("dependabot watches all lock files and the actions, but leaves n8n's packages alone", () => {
	const { updates } = yaml('dependabot.yml') as {
		updates: Array<{ directory: string; ignore?: Array<Record<string, string>> }>;
	};
	expect(updates).toMatchObject([
		{ 'package-ecosystem': 'npm', directory: '/' },
		{ 'package-ecosystem': 'npm', directory: '/sandbox' },
		{ 'package-ecosystem': 'npm', directory: '/sandbox/n8n' },
		{ 'package-ecosystem': 'github-actions', directory: '/' },
	]);
	for (const { directory, ignore = [] } of updates.slice(0, 2)) {
		const { dependencies, devDependencies } = manifest(`.${directory}`);
		const installed = Object.keys({ ...dependencies, ...devDependencies });
		const ignored = ignore.map((rule) => rule['dependency-name']);
		const pinned = installed.filter((name) => /^n8n(-|$)/.test(name));
		expect(ignored).toEqual(expect.arrayContaining(pinned));
		expect(installed).toEqual(expect.arrayContaining(ignored));
	}
});
