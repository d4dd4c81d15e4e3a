/** The variables by which run.mts tells the test files of this folder what the others do not have. */
export const variables = {
	registryUrl: 'INSTALL_REGISTRY_URL',
	tarball: 'INSTALL_TARBALL',
	browser: 'INSTALL_BROWSER',
} as const;

export type Variables = Record<keyof typeof variables, string>;

/** Sets the variables for the test files that this process starts. */
export function passOn(values: Variables): void {
	for (const key of Object.keys(variables) as Array<keyof Variables>) {
		process.env[variables[key]] = values[key];
	}
}
