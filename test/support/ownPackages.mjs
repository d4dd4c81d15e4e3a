// Loaded into each n8n of the tests, which must find all packages in its own installation. Where only the
// sandbox is installed, as after `npm start` in a new clone, the checkout has no packages further up.
import { registerHooks } from 'node:module';
import { URL } from 'node:url';

const others = new URL('../../node_modules/', import.meta.url).href;

registerHooks({
	resolve(specifier, context, next) {
		const resolved = next(specifier, context);
		if (!resolved.url.startsWith(others)) return resolved;
		const error = new Error(`n8n's installation lacks "${specifier}"`);
		throw Object.assign(error, { code: 'MODULE_NOT_FOUND' });
	},
});
