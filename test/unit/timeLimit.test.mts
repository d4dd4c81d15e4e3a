import { WAIT_INDEFINITELY, Workflow } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';
import { parametersOf } from '../../nodes/DataCollection/n8n/parameters.ts';
import { assertFirstTimeout, readEnd } from '../../nodes/DataCollection/wait/timeLimit.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

/** The part of n8n's context that the function uses. */
function limit(parameters: Record<string, unknown>, zone = 'Europe/Zurich'): Date {
	const unknownContext: unknown = {
		getNodeParameter: (name: string, _item: number, fallback: unknown) =>
			parameters[name] === undefined ? fallback : parameters[name],
		getTimezone: () => zone,
		workflow: Object.create(Workflow.prototype) as Workflow,
		getNode: () => ({ name: 'Node', type: 'x', typeVersion: 1, parameters: {} }),
	};
	const context = unknownContext as IExecuteFunctions;
	return new Date(readEnd(parametersOf(context, 0), NOW.getTime()));
}

test.each<[object, number]>([
	// One hour by default.
	[{}, 3600],
	[{ limitWaitTime: 'true' }, 3600],
	[{ resumeAmount: 30, resumeUnit: 'seconds' }, 30],
	[{ resumeAmount: 1.5, resumeUnit: 'minutes' }, 90],
	[{ resumeAmount: '2', resumeUnit: 'days' }, 172_800],
])('a limit of %j ends the wait after %i seconds', (fields, seconds) => {
	expect(limit({ limitWaitTime: true, ...fields })).toEqual(after(seconds));
});

test.each([
	{},
	{ limitWaitTime: false, resumeAmount: 1 },
	{ limitWaitTime: 'false' },
	// An end that n8n cannot store.
	{ limitWaitTime: true, resumeAmount: 4_000_000, resumeUnit: 'days' },
	{ limitWaitTime: true, resumeAmount: 1e20, resumeUnit: 'days' },
])('%j is no limit', (parameters) => {
	expect(limit(parameters)).toEqual(WAIT_INDEFINITELY);
});

test.each<[string, object[]]>([
	[
		'Limit Wait Time is not true or false',
		[{ limitWaitTime: 'on' }, { limitWaitTime: 2 }, { limitWaitTime: {} }],
	],
	['Limit Type is not one of its choices: "atNoon"', [{ limitType: 'atNoon' }]],
	[
		'Amount is not a number of 0.01 or more',
		[0, -1, 'soon', NaN, Infinity, {}].map((resumeAmount) => ({ resumeAmount })),
	],
	['Unit is not one of its choices: "constructor"', [{ resumeUnit: 'constructor' }]],
	[
		'Max Date and Time is not a valid date',
		['tomorrow', '2030-13-01', '', {}, null].map((maxDateAndTime) => ({
			limitType: 'atSpecifiedTime',
			maxDateAndTime,
		})),
	],
])('%s, as in %j', (message, all) => {
	for (const fields of all) {
		expect(() => limit({ limitWaitTime: true, ...fields })).toThrow(message);
	}
});

test.each<[unknown, string, string]>([
	['2030-01-31T09:00:00', 'Europe/Zurich', '2030-01-31T08:00:00.000Z'],
	['2030-07-31T09:00:00', 'Europe/Zurich', '2030-07-31T07:00:00.000Z'],
	['2030-01-31 09:00:00', 'Asia/Tokyo', '2030-01-31T00:00:00.000Z'],
	['2030-01-31T09:00:00Z', 'Asia/Tokyo', '2030-01-31T09:00:00.000Z'],
	['2030-01-31T09:00:00+05:30', 'Asia/Tokyo', '2030-01-31T03:30:00.000Z'],
	['2030-01-31', 'Europe/Zurich', '2030-01-30T23:00:00.000Z'],
	[after(60), 'Asia/Tokyo', '2030-01-01T00:01:00.000Z'],
])('the date %p in %s is %s', (maxDateAndTime, zone, end) => {
	const fields = { limitWaitTime: true, limitType: 'atSpecifiedTime', maxDateAndTime };
	expect(limit(fields, zone).toISOString()).toBe(end);
});

test('a limit that is over is refused only if one of several has timed out before', () => {
	const over = (before: string[]) => assertFirstTimeout(['a', 'b'], before);
	expect(() => over(['a'])).toThrow('timed out before');
	expect(() => over(['b', 'c'])).toThrow('timed out before');
	over(['c']);
});
