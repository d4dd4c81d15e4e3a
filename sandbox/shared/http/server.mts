import Fastify, { type FastifyInstance } from 'fastify';
import { respondAtOwnAddressesOnly, type OwnAddresses } from './ownAddresses.mts';

/** Bodies are checked, and stay as they were sent. */
const unchanged = { coerceTypes: false, removeAdditional: false, useDefaults: false } as const;
/** What the schemas have that Ajv refuses unless it is told. */
const lenient = { allowUnionTypes: true, keywords: ['x-unknown'] };

/** A server without routes that responds at its own addresses only. */
export function buildServer(own: OwnAddresses = {}): FastifyInstance {
	const app = Fastify({
		routerOptions: { ignoreTrailingSlash: true },
		forceCloseConnections: true,
		ajv: { customOptions: { ...unchanged, ...lenient, allErrors: true } },
		rewriteUrl: decodableUrl,
	});
	respondAtOwnAddressesOnly(app, own);
	return app;
}

/** The URL; a path that cannot be decoded becomes an unknown path like any other. */
function decodableUrl({ url = '/' }: { url?: string }): string {
	try {
		decodeURIComponent(url);
		return url;
	} catch {
		return url.replaceAll('%', '%25');
	}
}
