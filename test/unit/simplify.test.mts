import { simplify } from '../../nodes/DataCollection/service/share.ts';

test('keeps these parts, answers first, and lists people, not the organisation', () => {
	const nathan = { name: 'Nathan', email: 'nathan@example.com', phoneNumber: null };
	const participant = {
		account_id: 'a1',
		roles: ['sharer'],
		accountSnapshot: { _id: 'a1', ...nathan },
	};
	const times = {
		createTime: '2026-01-01T00:00:00.000Z',
		lastUpdateTime: '2026-01-02T00:00:00.000Z',
		deleteTime: null,
	};
	const simplified = simplify({
		_id: 's1',
		collectionRequestId: 'c1',
		status: 'completed',
		template: { _id: 't1', purpose: 'p' },
		participants: [
			{ ...participant, accountType: 'organisation' },
			{ ...participant, accountType: 'user' },
		],
		otherFields: [{ label: 'Street', value: '', isMandatory: false, type: 'text' }],
		...times,
		__v: 3,
	});
	expect(Object.keys(simplified).slice(0, 3)).toEqual(['shareId', 'status', 'answers']);
	expect(simplified).toEqual({
		shareId: 's1',
		status: 'completed',
		templateId: 't1',
		participants: [{ ...nathan, roles: ['sharer'], accountId: 'a1' }],
		answers: { Street: '' },
		...times,
	});
});

test.each([
	['{"_id":"s1"}', []],
	['{"_id":"s1","template":null,"participants":"x","otherFields":{"a":1}}', []],
	['{"_id":"s1","participants":[null,1,{"accountSnapshot":null}]}', [{}]],
])('survives missing and odd parts: %s', (share, participants) => {
	const simplified = simplify(JSON.parse(share) as { _id: string });
	const expected = { shareId: 's1', participants, answers: {} };
	expect(JSON.parse(JSON.stringify(simplified))).toEqual(expected);
});

test.each([
	['labels repeat', ['A', 'A', 'B', 'A'], { A: 0, 'A (2)': 1, B: 2, 'A (3)': 3 }],
	['a label looks numbered', ['A', 'A (2)', 'A'], { A: 0, 'A (2)': 1, 'A (3)': 2 }],
	['one looks so later', ['A', 'A', 'A (2)'], { A: 0, 'A (2)': 1, 'A (2) (2)': 2 }],
	['there is no label', [undefined, '', null], { '': 0, ' (2)': 1, ' (3)': 2 }],
	[
		'labels are names that every object inherits',
		['__proto__', 'toString', '__proto__'],
		{ '__proto__ (2)': 0, 'toString (2)': 1, '__proto__ (3)': 2 },
	],
])('no answer is lost when %s', (_when, labels, expected) => {
	const otherFields = labels.map((label, value) => ({ label, value }));
	const { answers } = simplify({ _id: 's1', otherFields: otherFields });
	expect(answers).toEqual(expected);
	expect(Object.getPrototypeOf(answers)).toBe(Object.prototype);
});
