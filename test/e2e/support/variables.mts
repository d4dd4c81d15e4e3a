/** The variables by which run.mts tells the test files where everything is. */
export const variables = {
	n8nUrl: 'E2E_N8N_URL',
	serviceUrl: 'E2E_SERVICE_URL',
	userFolder: 'E2E_USER_FOLDER',
	session: 'E2E_SESSION',
} as const;

export type Variables = Record<keyof typeof variables, string>;

/** Set in addition when n8n runs in queue mode. */
export const queueVariables = {
	/** The log files of all processes, separated as in PATH. */
	logs: 'E2E_N8N_LOGS',
	/** Where processes can be killed and started. */
	control: 'E2E_QUEUE_CONTROL',
} as const;
