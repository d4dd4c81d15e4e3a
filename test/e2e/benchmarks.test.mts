import assert from 'node:assert/strict';
import { startCountingService } from '../../bench/support/countingService.mts';
import { judge, type Posted } from '../../bench/support/verdict.mts';
import type { Reader } from '../../bench/deployment/executions.mts';
import type { Execution } from '../../sandbox/n8n/types.mts';

// What the benchmarks' figures rest on; bench/support cannot run inside jest's own modules.

describe('the verdict about a load', () => {
	const target = { title: 'Trigger', workflowId: 'w', url: 'http://127.0.0.1:9' };
	const idOf = (index: number) => `00000000-0000-4000-8000-00000000000${index}`;
	const posted = Array.from({ length: 4 }, (_, index): Posted => {
		const sent = { deliveryId: idOf(index), startedAt: index, took: 1, status: 200, answer: '' };
		return { ...sent, target: target.title, phase: 'steady' };
	});

	/** Judges these four, of which n8n has an execution with data for each index. */
	async function judgeWith(kept: number[], withoutData: number) {
		const stored = (data: object): unknown => ({ id: 'e', status: 'success', startedAt: 9, data });
		const executions = [
			...kept.map((index) => stored({ deliveryId: idOf(index) })),
			...Array.from({ length: withoutData }, () => stored({})),
		] as Execution[];
		const each = async function* () {
			yield* await Promise.resolve(executions);
		};
		const { rows, strangers } = await judge(
			'regular',
			{ each } as never as Reader,
			[target],
			posted,
		);
		const [{ lost, doubled, 'without data': hidden } = {}] = rows;
		return { rows: rows.length, lost, hidden, doubled, strangers };
	}

	test.each([
		['each has an execution', [0, 1, 2, 3], 0, { lost: 0, hidden: 0, doubled: 0, strangers: 0 }],
		['one has none', [0, 1, 2], 0, { lost: 1, hidden: 0, doubled: 0, strangers: 0 }],
		['one without data', [0, 1, 2], 1, { lost: 1, hidden: 1, doubled: 0, strangers: 0 }],
		['one without data for two', [0, 1], 1, { lost: 2, hidden: 1, doubled: 0, strangers: 0 }],
		[
			'one without data for none',
			[0, 1, 2, 3],
			1,
			{ lost: 0, hidden: 1, doubled: 0, strangers: 1 },
		],
		['one has two', [0, 0, 1, 2, 3], 0, { lost: 0, hidden: 0, doubled: 1, strangers: 0 }],
	])('%s', async (_title, kept, withoutData, expected) => {
		assert.deepEqual(await judgeWith(kept, withoutData), { rows: 1, ...expected });
	});
});

describe('the service that counts', () => {
	const path = '/di/collection-request/';
	const keys = {
		authorization: 'Bearer key',
		tokenId: 'token',
		'content-type': 'application/json',
	};
	const limits = { minimumParticipants: 1, maximumParticipants: 10 };
	const create = { templateId: 'bench', ...limits, webhookIdentifier: '1' };

	test.each<[title: string, status: number, path: string, headers: object, body: object]>([
		['the create', 200, path, keys, create],
		['with participants', 200, path, keys, { ...create, participantList: [{ name: 'Ada' }] }],
		['another path', 400, '/di/v1/collection-request', keys, create],
		['no key', 400, path, { ...keys, authorization: '' }, create],
		['no token ID', 400, path, { ...keys, tokenId: '' }, create],
		['another type', 400, path, { ...keys, 'content-type': 'text/plain' }, create],
		['fewer fields', 400, path, keys, { templateId: 'bench', webhookIdentifier: '1' }],
		['another field', 400, path, keys, { ...create, other: 1 }],
	])('%s: %i', async (_title, status, where, headers, body) => {
		const service = await startCountingService({ delay: 0 });
		const sent = { method: 'POST', headers: { ...headers }, body: JSON.stringify(body) };
		const response = await fetch(`${service.url}${where}`, sent);
		assert.deepEqual([response.status, service.created.size], [status, status === 200 ? 1 : 0]);
		await response.text();
		await service.stop();
	});
});
