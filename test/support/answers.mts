import type { Answer } from './send.mts';
import { matching } from './matchers.mts';

/** What a sender may learn (docs/trigger.md, How the signature is checked): a constant body each, nothing from the request. */
const constant = {
	accepted: [200, '{"status":"accepted"}'],
	filtered: [200, '{"status":"filtered"}'],
	duplicate: [200, '{"status":"duplicate"}'],
	malformed: [400, '{"status":"malformed"}'],
	unverified: [401, '{"status":"unverified"}'],
	tooLarge: [413, '{"status":"too large"}'],
	notConfigured: [500, '{"status":"not configured"}'],
} as const;

export type Outcome = keyof typeof constant;

interface OwnAnswer {
	status: number;
	/** The whole body. */
	text: RegExp;
	/** What n8n's log says about it, if anything. */
	logs?: string;
}

const escaped = (json: object) => JSON.stringify(json).replace(/[{}.?()]/g, String.raw`\$&`);
const only = (json: object) => RegExp(`^${escaped(json)}$`);
const failed = only({ code: 0, message: 'There was a problem executing the workflow' });
const otherMethod = (method: string): OwnAnswer => {
	const message = `This webhook is not registered for ${method} requests. Did you mean to make a POST request?`;
	return { status: 404, text: only({ code: 404, message }), logs: message };
};

/**
 * Responses that n8n 2.41 sends itself, before it runs the node. They repeat nothing from the request
 * except its method, and a few characters at the point where a body stops being JSON.
 */
const own = {
	unreadable: {
		status: 422,
		text: /^\{"code":422,"message":"Failed to parse request body","hint":".{0,300}"\}$/,
		logs: 'Failed to parse request body',
	},
	beyondLimit: { status: 500, text: failed, logs: 'request entity too large' },
	/** When the execution could not be stored. */
	notStored: { status: 500, text: failed },
	GET: otherMethod('GET'),
	PUT: otherMethod('PUT'),
	PATCH: otherMethod('PATCH'),
	DELETE: otherMethod('DELETE'),
	HEAD: { ...otherMethod('HEAD'), text: /^$/ },
	/** n8n's response to a browser that asks what it may send. */
	OPTIONS: { status: 204, text: /^$/ },
} satisfies Record<string, OwnAnswer>;

export type OwnOutcome = keyof typeof own;

const isOwn = (outcome: string): outcome is OwnOutcome => outcome in own;

/** What n8n's log must say about a refused delivery, if anything. */
export function logOf(outcome: Outcome | OwnOutcome): string | undefined {
	if (isOwn(outcome)) return (own[outcome] as OwnAnswer).logs;
	const isRefused = ['malformed', 'tooLarge', 'unverified'].includes(outcome);
	return isRefused ? `Delivery refused (${outcome})` : undefined;
}

/** Fails unless the response is the one that n8n sends itself, or the constant one, as JSON. */
export function assertAnswer(answer: Answer, outcome: Outcome | OwnOutcome): void {
	if (isOwn(outcome)) {
		const { status, text } = own[outcome];
		expect([answer.status, answer.text]).toEqual([status, matching(text)]);
		return;
	}
	const [status, text] = constant[outcome];
	expect({ status: answer.status, text: answer.text }).toStrictEqual({ status, text });
	expect(answer.contentType).toMatch(/^application\/json\b/);
}

/** The outcome of a constant response; undefined for any other response. */
export function outcomeOf({ status, text, contentType }: Answer): Outcome | undefined {
	if (!/^application\/json\b/.test(contentType)) return undefined;
	const outcomes = Object.keys(constant) as Outcome[];
	return outcomes.find((name) => constant[name][0] === status && constant[name][1] === text);
}
