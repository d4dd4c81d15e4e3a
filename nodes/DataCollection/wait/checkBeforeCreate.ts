import type { NodeTypeAndVersion } from 'n8n-workflow';

import type { Explanation } from '../basics/result';
import { inWords, isObject, parseNumber } from '../basics/values';
import { selectedCredential } from '../n8n/credential';
import { userError } from '../n8n/errors';
import { downstreamNodes, isConnected, runsOnce, upstreamNodes } from '../n8n/graph';
import { isTool } from '../n8n/thisNode';
import { waitsAfter, createsBefore } from '../requests/nodes';
import type { Run } from '../requests/run';
import { MAXIMUM_REQUESTS, tooManyFor } from './awaited';

/** Throws a UserError if a later Wait certainly cannot begin: later, people would be emailed. */
export function assertWaitsCanBegin(run: Run, count: number): void {
	if (count === 0 || isTool(run.context)) return;
	for (const wait of waitsAfter(run.context).filter(isForCreated)) {
		const problem =
			noWayOut(run, wait) ??
			tooFew(run, wait, count) ??
			tooMany(run, wait, count) ??
			wrongCredential(run, wait);
		if (problem === undefined) continue;
		const description = `Nothing has been created. ${problem.description}`;
		throw userError({ ...problem, description });
	}
	hintDifferentCredentials(run);
}

const isForCreated = ({ parameters }: NodeTypeAndVersion) => parameters?.which === 'created';

/** Without a limit, nothing leaves a Wait by Time's Up. */
function noWayOut(run: Run, { name, parameters }: NodeTypeAndVersion): Explanation | undefined {
	const [isDoneConnected, isTimesUpConnected] = isConnected(run.context, name);
	const mayHaveLimit = Boolean(parameters?.limitWaitTime);
	if (isDoneConnected || !isTimesUpConnected || mayHaveLimit) return undefined;
	const message = `Nothing would ever leave "${name}": only its output Time's Up is connected, and Limit Wait Time is off`;
	return { message, description: `Connect the next node with Done of "${name}".` };
}

function tooFew(run: Run, { name, parameters }: NodeTypeAndVersion, count: number) {
	const entered: unknown = parameters?.options;
	const number = isObject(entered) ? parseNumber(entered.numberToWaitFor) : undefined;
	if (number === undefined || number <= count) return undefined;
	if (createsBefore(run.context, name).length > 1 || !runsOnce(run.context)) return undefined;
	const message = `Number to Wait For in "${name}" is ${number}, but the number of collection requests is ${count}`;
	const description = `Lower the number in "${name}", or remove the option to wait for all.`;
	return { message, description };
}

/** An earlier Wait may be done with some of them: then it is not certain. */
function tooMany(run: Run, wait: NodeTypeAndVersion, count: number): Explanation | undefined {
	if (count <= MAXIMUM_REQUESTS || !waitsBefore(run, wait).every(isForCreated)) return undefined;
	const { message, description } = tooManyFor(`"${wait.name}"`);
	const orFewer = `${description} Then remove "${wait.name}". Or create fewer at a time.`;
	return { message: `${message}, but the number is ${count}`, description: orFewer };
}

/** An earlier Wait may be done with all of them: then it is not certain. */
function wrongCredential(run: Run, wait: NodeTypeAndVersion): Explanation | undefined {
	const credential = differentCredential(run, wait);
	const isFirst = waitsBefore(run, wait).every((earlier) => differentCredential(run, earlier));
	if (credential === undefined || !isFirst) return undefined;
	const message = `"${wait.name}" has another credential than this node: "${credential.name}" instead of "${selectedCredential(run.context)?.name}"`;
	const description =
		'Choose the same one in both nodes. n8n puts the newest credential into every new node.';
	return { message, description };
}

/** The Waits between this node and a later one. */
function waitsBefore(run: Run, { name }: NodeTypeAndVersion): NodeTypeAndVersion[] {
	const before = upstreamNodes(run.context, name).map((node) => node.name);
	return waitsAfter(run.context).filter((wait) => before.includes(wait.name));
}

/** The credential of a later node, if it certainly differs from that of this node. */
function differentCredential(run: Run, { name }: NodeTypeAndVersion) {
	const own = selectedCredential(run.context);
	const selected = selectedCredential(run.context, name);
	return own === undefined || own.id === selected?.id ? undefined : selected;
}

/** A node with the credential of another Create before it may be for what that one creates. */
function hintDifferentCredentials(run: Run): void {
	const named = downstreamNodes(run.context).flatMap((node) => {
		const credential = differentCredential(run, node);
		if (credential === undefined || node.parameters?.resource === 'notification') return [];
		const creates = createsBefore(run.context, node.name);
		const isOfAnother = creates.some(
			({ name }) => selectedCredential(run.context, name)?.id === credential.id,
		);
		return isOfAnother ? [] : [`"${node.name}" has "${credential.name}"`];
	});
	if (named.length === 0) return;
	run.hint(
		`Nodes after this one have another credential than it, which has "${selectedCredential(run.context)?.name}": ${inWords(named)}. A collection request is found only in the account and the environment in which it was created, so choose the same credential in all of them.`,
	);
}
