import { WAIT_INDEFINITELY, Workflow } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';
import { parametersOf } from '../../nodes/DataCollection/n8n/parameters.ts';
import { readEnd } from '../../nodes/DataCollection/wait/timeLimit.ts';

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
	return new Date(readEnd({ context }, parametersOf(context, 0), NOW.getTime()));
}

test.each(['on', 2, {}])('whether there is a limit is not %j', (limitWaitTime) => {
	expect(() => limit({ limitWaitTime })).toThrow('Limit Wait Time is not true or false');
});

test('a text of an expression counts: "true" is a limit', () => {
	expect(limit({ limitWaitTime: 'true' })).toEqual(after(3600));
	expect(limit({ limitWaitTime: 'false' })).toEqual(WAIT_INDEFINITELY);
});

test('an unknown type of limit is refused', () => {
	const message = 'Limit Type is not one of its choices: "atNoon"';
	expect(() => limit({ limitWaitTime: true, limitType: 'atNoon' })).toThrow(message);
});

test('without a limit the wait has none', () => {
	expect(limit({})).toEqual(WAIT_INDEFINITELY);
	expect(limit({ limitWaitTime: false, resumeAmount: 1 })).toEqual(WAIT_INDEFINITELY);
});

describe('after a time interval', () => {
	test.each<[unknown, unknown, number]>([
		// One hour by default.
		[undefined, undefined, 3600],
		[30, 'seconds', 30],
		[1.5, 'minutes', 90],
		[2, 'hours', 7200],
		['2', 'days', 172_800],
	])('%p %s', (resumeAmount, resumeUnit, seconds) => {
		expect(limit({ limitWaitTime: true, resumeAmount, resumeUnit })).toEqual(after(seconds));
	});

	test.each([4_000_000, 1e20])('an end that n8n cannot store is none: %p days', (resumeAmount) => {
		const fields = { limitWaitTime: true, resumeAmount, resumeUnit: 'days' };
		expect(limit(fields)).toEqual(WAIT_INDEFINITELY);
	});

	test.each([[0], [-1], ['soon'], [NaN], [Infinity], [{}]])(
		'%p days is no time',
		(resumeAmount) => {
			const fields = { limitWaitTime: true, resumeAmount, resumeUnit: 'days' };
			expect(() => limit(fields)).toThrow('Amount is not a number of 0.01 or more');
		},
	);

	test.each(['weeks', 'constructor'])('%s is no unit', (resumeUnit) => {
		const fields = { limitWaitTime: true, resumeAmount: 1, resumeUnit };
		expect(() => limit(fields)).toThrow(`Unit is not one of its choices: "${resumeUnit}"`);
	});
});

describe('at a specified time', () => {
	const at = (maxDateAndTime: unknown, zone?: string) =>
		limit({ limitWaitTime: true, limitType: 'atSpecifiedTime', maxDateAndTime }, zone);

	test.each<[unknown, string, string]>([
		['2030-01-31T09:00:00', 'Europe/Zurich', '2030-01-31T08:00:00.000Z'],
		['2030-07-31T09:00:00', 'Europe/Zurich', '2030-07-31T07:00:00.000Z'],
		['2030-01-31T09:00:00', 'America/New_York', '2030-01-31T14:00:00.000Z'],
		['2030-01-31 09:00:00', 'Asia/Tokyo', '2030-01-31T00:00:00.000Z'],
		['2030-01-31T09:00:00Z', 'Asia/Tokyo', '2030-01-31T09:00:00.000Z'],
		['2030-01-31T09:00:00+05:30', 'Asia/Tokyo', '2030-01-31T03:30:00.000Z'],
		['2030-01-31', 'Europe/Zurich', '2030-01-30T23:00:00.000Z'],
		[after(60), 'Asia/Tokyo', '2030-01-01T00:01:00.000Z'],
	])('%p in %s is %s', (date, zone, expected) => {
		expect(at(date, zone).toISOString()).toBe(expected);
	});

	test.each(['tomorrow', '2030-13-01', '', {}, null])('%p is no date', (value) => {
		expect(() => at(value)).toThrow('Max Date and Time is not a valid date');
	});
});
