import assert from 'node:assert/strict';
import type { Answer } from './send.mts';

interface OwnAnswer {
	status: number;
	/** The whole body. */
	text: RegExp;
	/** What n8n's log says about it, where it says something. */
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
 * What n8n 2.41 answers by itself, before it asks the node. They repeat nothing of the request but
 * its method, and a few characters at the place where a body stops being JSON.
 */
const own = {
	unreadable: {
		status: 422,
		text: /^\{"code":422,"message":"Failed to parse request body","hint":".{0,300}"\}$/,
		logs: 'Failed to parse request body',
	},
	beyondLimit: { status: 500, text: failed, logs: 'request entity too large' },
	notCompressed: { status: 500, text: failed, logs: 'incorrect header check' },
	/** The execution could not be stored. */
	notStored: { status: 500, text: failed },
	noForm: {
		status: 400,
		text: only({ code: 400, message: 'The submitted form data could not be parsed.' }),
		logs: 'The submitted form data could not be parsed.',
	},
	/** By Node's HTTP parser, before n8n sees anything. */
	noHttp: { status: 400, text: /^$/ },
	headersTooLarge: { status: 431, text: /^$/ },
	GET: otherMethod('GET'),
	PUT: otherMethod('PUT'),
	PATCH: otherMethod('PATCH'),
	DELETE: otherMethod('DELETE'),
	HEAD: { ...otherMethod('HEAD'), text: /^$/ },
	/** n8n's answer to a browser that asks what it may send. */
	OPTIONS: { status: 204, text: /^$/ },
} satisfies Record<string, OwnAnswer>;

export type OwnOutcome = keyof typeof own;

/** Whether n8n by itself answers in this way. */
export const isOwn = (outcome: string): outcome is OwnOutcome => outcome in own;

/** What n8n's log has to say about it, where it says something. */
export const ownLogOf = (outcome: OwnOutcome) => (own[outcome] as OwnAnswer).logs;

/** Fails unless the answer is the one that n8n gives by itself. */
export function assertOwnAnswer(answer: Answer, outcome: OwnOutcome): void {
	assert.equal(answer.status, own[outcome].status, answer.text);
	assert.match(answer.text, own[outcome].text);
}

/** Whether it is the answer that n8n gives by itself. */
export const isOwnAnswer = ({ status, text }: Answer, outcome: OwnOutcome) =>
	status === own[outcome].status && own[outcome].text.test(text);
