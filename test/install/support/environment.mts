import { variables } from './variables.mts';

function given(name: string): string {
	const value = process.env[name] ?? '';
	if (value === '') throw new Error(`${name} is not set: start with "npm run test:install".`);
	return value;
}

/** Address of the npm registry, without a trailing slash. */
export const registryUrl = given(variables.registryUrl);

/** The packed package, as it would be published. */
export const tarball = given(variables.tarball);

/** The browser's program. */
export const browserProgram = given(variables.browser);
