import { simplify } from '../../nodes/DataCollection/api/share.ts';
import { parseObject } from '../engine/support/json.mts';

const SHARE = {
	_id: 's1',
	deleteTime: null,
	schemaVersion: '1',
	participants: [
		{
			account_id: 'a1',
			accountType: 'user',
			accountSnapshot: {
				_id: 'a1',
				name: 'Nathan',
				email: 'nathan@example.com',
				phoneNumber: null,
				displayPictureUrl: null,
				parentAccountId: null,
			},
			roles: ['sharer'],
		},
	],
	otherFields: [
		{ label: 'Name', value: 'Nathan', isMandatory: true, type: 'text' },
		{ label: 'Street', value: '', isMandatory: false, type: 'text' },
	],
	template: { _id: 't1', purpose: 'p', type: 'x' },
	isQuotaLocked: false,
	status: 'completed',
	agreements: [],
	updateLogs: [],
	isPublicJoin: true,
	collectionRequestId: 'c1',
	createTime: '2026-01-01T00:00:00.000Z',
	lastUpdateTime: '2026-01-02T00:00:00.000Z',
	__v: 3,
};

const answersOf = (labels: unknown[]) =>
	simplify({
		_id: 's1',
		otherFields: labels.map((label, index) => ({ label, value: index })) as never,
	}).answers;

test('keeps these parts, answers first', () => {
	const simplified = simplify(SHARE);
	expect(Object.keys(simplified).slice(0, 3)).toEqual(['shareId', 'status', 'answers']);
	expect(simplified).toEqual({
		shareId: 's1',
		status: 'completed',
		templateId: 't1',
		participants: [
			{
				name: 'Nathan',
				email: 'nathan@example.com',
				phoneNumber: null,
				roles: ['sharer'],
			},
		],
		answers: { Name: 'Nathan', Street: '' },
		createTime: '2026-01-01T00:00:00.000Z',
		lastUpdateTime: '2026-01-02T00:00:00.000Z',
	});
});

test('lists people, not the organisation', () => {
	const [person] = SHARE.participants;
	const organisation = { ...person, accountType: 'organisation', parentAccount_id: 'a0' };
	const { participants } = simplify({ ...SHARE, participants: [organisation, person ?? {}] });
	expect(participants).toHaveLength(1);
});

test('survives missing and odd parts', () => {
	const expected = { shareId: 's1', participants: [], answers: {} };
	expect(parseObject(JSON.stringify(simplify({ _id: 's1' })))).toEqual(expected);
	const odd = parseObject(
		'{"_id":"s1","template":null,"participants":"x","otherFields":{"a":1}}',
	) as { _id: string };
	expect(parseObject(JSON.stringify(simplify(odd)))).toEqual(expected);
	const half = { _id: 's1', participants: [null, 1, { accountSnapshot: null }] as never };
	expect(parseObject(JSON.stringify(simplify(half)))).toEqual({ ...expected, participants: [{}] });
});

describe('no answer is lost', () => {
	test('when labels repeat', () => {
		expect(answersOf(['A', 'A', 'B', 'A'])).toEqual({ A: 0, 'A (2)': 1, B: 2, 'A (3)': 3 });
	});

	test('when a label looks like a numbered one', () => {
		expect(answersOf(['A', 'A (2)', 'A'])).toEqual({ A: 0, 'A (2)': 1, 'A (3)': 2 });
		expect(answersOf(['A', 'A', 'A (2)'])).toEqual({ A: 0, 'A (2)': 1, 'A (2) (2)': 2 });
	});

	test('when labels are names that every object inherits', () => {
		const answers = answersOf(['__proto__', 'constructor', '__proto__', 'toString']);
		expect(JSON.stringify(answers)).toBe(
			'{"__proto__ (2)":0,"constructor (2)":1,"__proto__ (3)":2,"toString (2)":3}',
		);
		expect(Object.getPrototypeOf(answers)).toBe(Object.prototype);
	});

	test('when there is no label, or an empty one', () => {
		expect(answersOf([undefined, '', null])).toEqual({ '': 0, ' (2)': 1, ' (3)': 2 });
	});
});
