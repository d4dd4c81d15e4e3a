import { faultKinds, faultLabels, faultTargets } from '../faults.mts';
import { OWN_CHOICE, record, text } from './describe.mts';

const KINDS = Object.entries(faultLabels).map(([kind, label]) => `${kind}: ${label}`);

const faultProperties = {
	kind: text(KINDS.join('; '), { enum: faultKinds }),
	appliesTo: text('Which requests get it', { enum: faultTargets }),
	left: {
		type: ['integer', 'null'],
		minimum: 1,
		description: 'How many responses still get it, 1 unless given; null: all until it is cleared',
	},
	status: { type: 'integer', minimum: 300, maximum: 599, description: 'For status and redirect' },
	retryAfter: {
		type: ['integer', 'null'],
		minimum: 0,
		description: 'Seconds of Retry-After for busy and status; null: no such header',
	},
	delayMs: {
		type: 'integer',
		minimum: 0,
		maximum: 600_000,
		description: 'Milliseconds before the response for slow, after each byte for drip',
	},
	location: text('Where a redirect leads'),
};

const settings = (fault: Readonly<Record<string, unknown>>) => ({
	fault,
	apiDelayMs: {
		type: 'integer',
		minimum: 0,
		maximum: 600_000,
		description: 'Milliseconds that every response of the API takes longer',
	},
	requestsPerSecond: {
		type: ['integer', 'null'],
		minimum: 1,
		description: 'Beyond it the API responds with 429 with Retry-After: 1; null: no limit',
	},
});

const described = (required: string[] | undefined) => ({
	type: ['object', 'null'],
	description: `${OWN_CHOICE}: what goes wrong`,
	properties: faultProperties,
	required,
});

export const faultSchemas = [
	{
		$id: 'Faults',
		...record('What goes wrong with responses of the API', settings(described(undefined))),
	},
	{
		$id: 'FaultSettings',
		type: 'object',
		description: 'What shall go wrong with responses of the API',
		additionalProperties: false,
		properties: settings({ ...described(['kind']), additionalProperties: false }),
	},
];
