import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';

import type { Explanation } from '../../basics/explanation';
import { inWords } from '../../basics/text';
import { isObject, parseNumber } from '../../basics/values';
import { selectedCredential } from '../../n8n/credential';
import { userError } from '../../n8n/errors';
import { downstreamNodes, isConnected, runsOnce, upstreamNodes } from '../../n8n/graph';
import type { Hint } from '../../n8n/hints';
import { isTool } from '../../n8n/tool';
import { createsBefore, waitsAfter } from '../../shared/createAndWaitNodes';
import type { Run } from '../../shared/operation';
import { MAXIMUM_REQUESTS, tooManyFor } from '../../wait/awaitedRequests';

/**
 * Throws a UserError if a Wait after this node certainly cannot begin, or nothing can leave it: once
 * something is created, people would be emailed.
 */
export function assertWaitsCanBegin({ context, hint }: Run, count: number): void {
	if (count === 0 || isTool(context)) return;
	for (const wait of waitsAfter(context).filter(isForCreated)) {
		const problem =
			noWayOut(context, wait) ??
			tooFew(context, wait, count) ??
			tooMany(context, wait, count) ??
			wrongCredential(context, wait);
		if (problem === undefined) continue;
		const description = `Nothing has been created. ${problem.description}`;
		throw userError({ ...problem, description });
	}
	hintDifferentCredentials(context, hint);
}

const isForCreated = ({ parameters }: NodeTypeAndVersion) => parameters?.which === 'created';

/** Without a limit, nothing leaves a Wait by Time's Up. */
function noWayOut(
	context: IExecuteFunctions,
	{ name, parameters }: NodeTypeAndVersion,
): Explanation | undefined {
	const [isDoneConnected, isTimesUpConnected] = isConnected(context, name);
	const mayHaveLimit = Boolean(parameters?.limitWaitTime);
	if (isDoneConnected || !isTimesUpConnected || mayHaveLimit) return undefined;
	const message = `Nothing would ever leave "${name}": only its output Time's Up is connected, and Limit Wait Time is off`;
	return { message, description: `Connect the next node with Done of "${name}".` };
}

function tooFew(
	context: IExecuteFunctions,
	{ name, parameters }: NodeTypeAndVersion,
	count: number,
) {
	const entered: unknown = parameters?.options;
	const number = isObject(entered) ? parseNumber(entered.numberToWaitFor) : undefined;
	if (number === undefined || number <= count) return undefined;
	if (createsBefore(context, name).length > 1 || !runsOnce(context)) return undefined;
	const message = `Number to Wait For in "${name}" is ${number}, but the number of collection requests is ${count}`;
	const description = `Lower the number in "${name}", or remove the option to wait for all.`;
	return { message, description };
}

/** An earlier Wait that is not for what was created may be done with some of it: then it is not certain. */
function tooMany(
	context: IExecuteFunctions,
	wait: NodeTypeAndVersion,
	count: number,
): Explanation | undefined {
	if (count <= MAXIMUM_REQUESTS || !waitsBefore(context, wait).every(isForCreated))
		return undefined;
	const { message, description } = tooManyFor(`"${wait.name}"`);
	const orFewer = `${description} Then remove "${wait.name}". Or create fewer at a time.`;
	return { message: `${message}, but the number is ${count}`, description: orFewer };
}

/** An earlier Wait may be done with all of them: then it is not certain. */
function wrongCredential(
	context: IExecuteFunctions,
	wait: NodeTypeAndVersion,
): Explanation | undefined {
	const credential = differentCredential(context, wait);
	const isFirst = waitsBefore(context, wait).every((earlier) =>
		differentCredential(context, earlier),
	);
	if (credential === undefined || !isFirst) return undefined;
	const message = `"${wait.name}" has another credential than this node: "${credential.name}" instead of "${selectedCredential(context)?.name}"`;
	const description =
		'Choose the same one in both nodes. n8n puts the newest credential into every new node.';
	return { message, description };
}

/** The Waits between this node and a later one. */
function waitsBefore(
	context: IExecuteFunctions,
	{ name }: NodeTypeAndVersion,
): NodeTypeAndVersion[] {
	const before = upstreamNodes(context, name).map((node) => node.name);
	return waitsAfter(context).filter((wait) => before.includes(wait.name));
}

/** The credential of a later node, if it certainly differs from that of this node. */
function differentCredential(context: IExecuteFunctions, { name }: NodeTypeAndVersion) {
	const own = selectedCredential(context);
	const selected = selectedCredential(context, name);
	return own === undefined || own.id === selected?.id ? undefined : selected;
}

/** A node with the credential of another Create before it may be for what that one creates. */
function hintDifferentCredentials(context: IExecuteFunctions, hint: Hint): void {
	const named = downstreamNodes(context).flatMap((node) => {
		const credential = differentCredential(context, node);
		if (credential === undefined || node.parameters?.resource === 'notification') return [];
		const creates = createsBefore(context, node.name);
		const isOfAnother = creates.some(
			({ name }) => selectedCredential(context, name)?.id === credential.id,
		);
		return isOfAnother ? [] : [`"${node.name}" has "${credential.name}"`];
	});
	if (named.length === 0) return;
	hint(
		`Nodes after this one have another credential than it, which has "${selectedCredential(context)?.name}": ${inWords(named)}. A collection request is found only in the account and the environment in which it was created, so choose the same credential in all of them.`,
	);
}
