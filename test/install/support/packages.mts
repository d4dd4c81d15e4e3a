import type { N8nRest } from '../../../sandbox/n8n/rest.mts';
import { packageName } from '../../../sandbox/shared/paths.mts';

/** A community package as n8n's settings show it. */
interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	installedNodes: Array<{ name: string; type: string; latestVersion: number }>;
	/** A newer version that the registry has. */
	updateAvailable?: string;
	failedLoading?: boolean;
}

const route = '/rest/community-packages';

/** n8n's own list of community packages; `install` and `update` take the newest version of ours. */
export const packagesOf = ({ send }: N8nRest) => ({
	list: () => send<InstalledPackage[]>('GET', route),
	install: () => send<InstalledPackage>('POST', route, { name: packageName }),
	update: () => send<InstalledPackage>('PATCH', route, { name: packageName }),
	remove: () => send('DELETE', `${route}?name=${packageName}`),
});

/** The version of our package whose nodes n8n offers, by node; empty when it has none of them. */
export async function loadedNodes(rest: N8nRest): Promise<Record<string, unknown>> {
	const ours = (await rest.nodeTypes()).filter(({ name }) =>
		String(name).startsWith(`${packageName}.`),
	);
	const versions = ours.map((type) => [
		String(type.name).split('.')[1],
		type.communityNodePackageVersion,
	]);
	return Object.fromEntries(versions) as Record<string, unknown>;
}
