import { N8nRestError, type N8nRest, type Send } from '../../sandbox/n8n/rest.mts';
import type { Publication } from '../../sandbox/n8n/types.mts';
import { messageOf } from '../../sandbox/shared/failure.mts';

const unknownRoute = (error: unknown) => error instanceof N8nRestError && error.status === 404;

/** Older versions publish before they respond, so "active" is all there is to check. */
async function publicationOf(rest: N8nRest, id: string): Promise<Publication> {
	const known = await rest.publicationOf(id).catch((error: unknown) => {
		if (unknownRoute(error)) return undefined;
		throw error;
	});
	if (known?.status !== undefined) return known;
	const workflow = await rest.findWorkflow(id);
	return { status: workflow?.active ? 'published' : 'not_published', triggers: [] };
}

/** n8n 2.20 fails to return an execution for which it has stored nothing yet. */
function patientSend({ send }: { send: Send }): Send {
	return async <T,>(...call: Parameters<Send>): Promise<T> => {
		try {
			return await send<T>(...call);
		} catch (error) {
			const isTooEarly = /^GET \/rest\/executions\/\d+: 500 .*'resultData'/;
			if (!isTooEarly.test(messageOf(error))) throw error;
			return { status: 'running' } as T;
		}
	};
}

/** Older versions run the workflow that the editor sends, not the stored one. */
async function runManually(rest: N8nRest, id: string, triggerName: string): Promise<string> {
	const workflowData = await rest.findWorkflow(id);
	const body = { workflowData, triggerToStartFrom: { name: triggerName } };
	const route = `/rest/workflows/${id}/run`;
	return (await rest.send<{ executionId: string }>('POST', route, body)).executionId;
}

/** n8n's REST API in the variants used since version 1.123. */
export function openOlderRest(rest: N8nRest): N8nRest {
	return {
		...rest,
		send: patientSend(rest),
		createWorkflow: (workflow) => rest.createWorkflow({ active: false, ...workflow }),
		publicationOf: (id) => publicationOf(rest, id),
		runManually: (id, triggerName) => runManually(rest, id, triggerName),
	};
}
