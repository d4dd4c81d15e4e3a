import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import type { Explanation } from '../basics/result';
import { isObject, parseNumber } from '../basics/values';
import { userError } from '../n8n/errors';
import { downstreamWaits, isTool, runsOnce, upstreamCreates, workflowOf } from '../n8n/graph';
import { getConnection } from '../requests/getConnection';
import type { Run } from '../requests/run';
import type { Connection } from '../service/connection';

/**
 * Throws a UserError if a Wait after this node could not begin, as far as that is certain
 * before the collection requests of these items are created: afterwards, people would have been emailed.
 */
export async function assertWaitsCanBegin(
	run: Run,
	count: number,
	isReported: boolean,
): Promise<void> {
	if (count === 0 || isTool(run)) return;
	for (const { name, parameters = {} } of downstreamWaits(run)) {
		const number = tooMuch(run, name, parameters, count);
		if (number !== undefined) {
			const message = `Number to Wait For in "${name}" is ${number}, but the number of collection requests is ${count}`;
			const description = `Nothing has been created. Lower the number in "${name}", or remove the option to wait for all.`;
			throw userError({ message, description });
		}
		const unverified = isReported ? await unverifiedBy(run, name) : undefined;
		if (unverified === undefined) continue;
		if (parameters.which === 'created' && parameters.limitWaitTime !== true) {
			const description = `Nothing has been created. ${unverified.description}`;
			throw userError({ ...unverified, description });
		}
		run.hint(`${unverified.message}. ${unverified.description}`);
	}
}

/** The number that a Wait is to wait for, if it is certain that fewer are created. */
function tooMuch(run: Run, name: string, { which, options }: INodeParameters, count: number) {
	const entered: unknown = options;
	const number = isObject(entered) ? parseNumber(entered.numberToWaitFor) : undefined;
	if (which !== 'created' || number === undefined || number <= count) return undefined;
	return upstreamCreates(run, name).length === 1 && runsOnce(run) ? number : undefined;
}

/** Why a Wait cannot verify notifications that are signed with the secret of this node, if it cannot. */
async function unverifiedBy(
	{ context, connection }: Run,
	name: string,
): Promise<Explanation | undefined> {
	const other = await connectionOfNode(context, name);
	const { signing } = connection;
	if (other === undefined || !signing.ok) return undefined;
	if (other.verificationSecrets.includes(signing.value)) return undefined;
	const hasNone = other.verificationSecrets.length === 0;
	const which = hasNone ? 'no webhook secret' : 'another webhook secret than that of this node';
	const message = `No notification can end "${name}": its credential has ${which}`;
	const description = `Choose the credential of this node in "${name}", or enter its webhook secret under Previous Webhook Secrets there.`;
	return { message, description };
}

/** The credential of another node of this workflow. Undefined if it cannot be known or used. */
async function connectionOfNode(
	context: IExecuteFunctions,
	name: string,
): Promise<Connection | undefined> {
	const node = workflowOf(context)?.getNode(name);
	if (!node) return undefined;
	const ofNode = Object.create(context, { node: { value: node } }) as IExecuteFunctions;
	return await getConnection(ofNode).catch(() => undefined);
}
