/** For the person who builds a workflow: what happened, and what to do. */
export interface Explanation {
	message: string;
	description: string;
}

const MOST_ERRORS = 10;

/** So that everything can be corrected at once. */
export function joinedErrors(several: Explanation[]): Explanation {
	const named = several.slice(0, MOST_ERRORS);
	const more = several.length - named.length;
	const messages = [...new Set(named.map(({ message }) => message))];
	const descriptions = new Set(named.map(({ description }) => description));
	if (more > 0) messages.push(`And ${more} more`);
	return { message: messages.join('. '), description: [...descriptions].join(' ') };
}
