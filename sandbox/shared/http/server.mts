import Fastify, { type FastifyInstance } from 'fastify';
import { respondAtOwnAddressesOnly, type OwnAddresses } from './ownAddresses.mts';

/** Bodies are validated but not changed. */
const unchanged = { coerceTypes: false, removeAdditional: false, useDefaults: false } as const;

/** A server without routes that responds only at its own addresses. */
export function buildServer(own: OwnAddresses = {}): FastifyInstance {
	const app = Fastify({
		routerOptions: { ignoreTrailingSlash: true },
		forceCloseConnections: true,
		ajv: { customOptions: { ...unchanged, allErrors: true } },
		rewriteUrl: decodableUrl,
	});
	respondAtOwnAddressesOnly(app, own);
	return app;
}

/** The URL; a path that cannot be decoded is treated as any other unknown path. */
function decodableUrl({ url = '/' }: { url?: string }): string {
	try {
		decodeURIComponent(url);
		return url;
	} catch {
		return url.replaceAll('%', '%25');
	}
}
