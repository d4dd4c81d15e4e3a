/** The variables by which run.mts tells the test files where everything is. */
export const variables = {
	n8nUrl: 'E2E_N8N_URL',
	serviceUrl: 'E2E_SERVICE_URL',
	userFolder: 'E2E_USER_FOLDER',
	session: 'E2E_SESSION',
} as const;

export type Variables = Record<keyof typeof variables, string>;
