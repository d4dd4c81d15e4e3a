/** The time before which one execution sends nothing, because the service asked it to slow down. */
export interface Pace {
	/** Milliseconds since 1970. */
	resumeAt: number;
}

const paces = new WeakMap<object, Pace>();

/**
 * The pace that all items of one execution share: after a 429 they hold back together instead of
 * each running into it. n8n hands every item the same context, so the context is the key.
 */
export function paceOf(context: object): Pace {
	const pace = paces.get(context) ?? { resumeAt: 0 };
	paces.set(context, pace);
	return pace;
}
