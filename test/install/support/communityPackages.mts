import type { Send } from '../../../sandbox/n8n/request.mts';
import { packageName } from '../../../sandbox/shared/paths.mts';

/** A community package as n8n's settings show it. */
export interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	installedNodes: Array<{ name: string; type: string; latestVersion: number }>;
	/** A newer version that the registry has. */
	updateAvailable?: string;
	failedLoading?: boolean;
}

const route = '/rest/community-packages';

/** Every installed community package. */
export const installedPackages = (send: Send) => send<InstalledPackage[]>('GET', route);

/** Installs the newest version of ours. */
export const installPackage = (send: Send) =>
	send<InstalledPackage>('POST', route, { name: packageName });

/** Replaces ours by the newest version. */
export const updatePackage = (send: Send) =>
	send<InstalledPackage>('PATCH', route, { name: packageName });

/** Removes ours. */
export const removePackage = (send: Send) => send('DELETE', `${route}?name=${packageName}`);
