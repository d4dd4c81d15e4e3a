/** The smallest read and the smallest create. */
export const READ = { resource: 'collectionRequest', operation: 'get', requestId: '1' };
export const CREATE = { resource: 'collectionRequest', operation: 'create', templateId: 't1' };

/** What the message of a create says when it may have happened. */
export const MAY_EXIST = 'The collection request may have been created anyway';

/**
 * Both, for tests of what they have in common: how often each is sent if the service fails after
 * receiving it, and how its message then ends.
 */
export const BOTH = [
	['read', { parameters: READ, attempts: 3, doubt: '' }],
	['create', { parameters: CREATE, attempts: 1, doubt: `. ${MAY_EXIST}` }],
] as const;
