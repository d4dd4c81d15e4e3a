import type { Explanation } from '../basics/result';
import { inWords, isObject, parseNumber } from '../basics/values';
import { selectedCredential } from '../n8n/credential';
import { userError } from '../n8n/errors';
import { downstreamNodes, type NodeBehind, runsOnce, upstreamNodes } from '../n8n/graph';
import { isTool } from '../n8n/node';
import { waitsAfter, createsBefore } from '../requests/nodes';
import type { Run } from '../requests/run';
import { MAXIMUM_REQUESTS, tooManyFor } from './awaited';

/**
 * Throws a UserError if a Wait after this node could not begin, as far as that is certain
 * before the collection requests of these items are created: afterwards, people would have been emailed.
 */
export function assertWaitsCanBegin(run: Run, count: number): void {
	if (count === 0 || isTool(run.context)) return;
	for (const wait of waitsAfter(run.context).filter(isForCreated)) {
		const problem =
			tooFew(run, wait, count) ?? tooMany(run, wait, count) ?? wrongCredential(run, wait);
		if (problem === undefined) continue;
		const description = `Nothing has been created. ${problem.description}`;
		throw userError({ ...problem, description });
	}
	hintOtherCredentials(run);
}

/** Whether a Wait certainly waits for what has been created before it. */
const isForCreated = ({ parameters }: NodeBehind) => parameters?.which === 'created';

/** If it is certain that fewer are created than the Wait is to wait for. */
function tooFew(run: Run, { name, parameters }: NodeBehind, count: number) {
	const entered: unknown = parameters?.options;
	const number = isObject(entered) ? parseNumber(entered.numberToWaitFor) : undefined;
	if (number === undefined || number <= count) return undefined;
	if (createsBefore(run.context, name).length > 1 || !runsOnce(run.context)) return undefined;
	const message = `Number to Wait For in "${name}" is ${number}, but the number of collection requests is ${count}`;
	const description = `Lower the number in "${name}", or remove the option to wait for all.`;
	return { message, description };
}

/** If more are created than the Wait takes, and no Wait before it can have been done with some. */
function tooMany(run: Run, wait: NodeBehind, count: number): Explanation | undefined {
	if (count <= MAXIMUM_REQUESTS || !waitsBefore(run, wait).every(isForCreated)) return undefined;
	const { message, description } = tooManyFor(`"${wait.name}"`);
	const orFewer = `${description} Then remove "${wait.name}". Or create fewer at a time.`;
	return { message: `${message}, but the number is ${count}`, description: orFewer };
}

/** If the Wait has another credential, and no Wait before it can have been done with all. */
function wrongCredential(run: Run, wait: NodeBehind): Explanation | undefined {
	const other = otherCredential(run, wait);
	const isFirst = waitsBefore(run, wait).every((earlier) => otherCredential(run, earlier));
	if (other === undefined || !isFirst) return undefined;
	const message = `"${wait.name}" has another credential than this node: "${other.name}" instead of "${selectedCredential(run.context)?.name}"`;
	const description =
		'Choose the same one in both nodes. n8n puts the newest credential into every new node.';
	return { message, description };
}

/** The Waits after this node that come before a later one. */
function waitsBefore(run: Run, { name }: NodeBehind): NodeBehind[] {
	const before = upstreamNodes(run.context, name).map((node) => node.name);
	return waitsAfter(run.context).filter((wait) => before.includes(wait.name));
}

/** The credential of a later node, if that is certainly another than the one of this node. */
function otherCredential(run: Run, { name }: NodeBehind) {
	const [own, other] = [selectedCredential(run.context), selectedCredential(run.context, name)];
	return own === undefined || own.id === other?.id ? undefined : other;
}

/**
 * A hint that names the later nodes with another credential, unless a Create before them has the same
 * one: they may be for its collection requests.
 */
function hintOtherCredentials(run: Run): void {
	const named = downstreamNodes(run.context).flatMap((node) => {
		const other = otherCredential(run, node);
		if (other === undefined || node.parameters?.resource === 'notification') return [];
		const creates = createsBefore(run.context, node.name);
		const isOfAnother = creates.some(
			({ name }) => selectedCredential(run.context, name)?.id === other.id,
		);
		return isOfAnother ? [] : [`"${node.name}" has "${other.name}"`];
	});
	if (named.length === 0) return;
	run.hint(
		`Nodes after this one have another credential than it, which has "${selectedCredential(run.context)?.name}": ${inWords(named)}. A collection request is found only in the account and the environment in which it was created, so choose the same credential in all of them.`,
	);
}
