import type { N8nRest } from '../../../sandbox/n8n/rest.mts';
import { packageName } from '../../../sandbox/shared/paths.mts';

/** The version of our package whose nodes n8n offers, by node; empty when it has none of them. */
export async function loadedNodes(rest: N8nRest): Promise<Record<string, unknown>> {
	const ours = (await rest.nodeTypes()).filter(({ name }) =>
		String(name).startsWith(`${packageName}.`),
	);
	const versions = ours.map(({ name, communityNodePackageVersion }) => [
		String(name).slice(packageName.length + 1),
		communityNodePackageVersion,
	]);
	return Object.fromEntries(versions) as Record<string, unknown>;
}

/** What `loadedNodes` answers while that version is installed. */
export const nodesOf = (version: string) => ({
	dataCollection: version,
	dataCollectionTrigger: version,
	// n8n makes it for its AI Agent.
	dataCollectionTool: version,
});
