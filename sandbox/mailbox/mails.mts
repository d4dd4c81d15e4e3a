import { LRUCache } from 'lru-cache';

/** A mail as its receiver sees it; everything in it is what a stranger wrote. */
export interface Mail {
	id: string;
	/** ISO 8601. */
	receivedAt: string;
	/** As in the mail's header: `Name <address>` or the address alone. */
	from: string;
	/** The addresses it was delivered to, blind copies included. */
	to: string[];
	subject: string;
	/** Empty when the mail has no such part. */
	text: string;
	html: string;
	/** The http and https addresses in text and html, each once, in order. */
	links: string[];
	/** `size` in bytes. */
	attachments: Array<{ name: string; type: string; size: number }>;
}

export type NewMail = Omit<Mail, 'id' | 'receivedAt'>;
export type Mails = ReturnType<typeof createMails>;

/** The mails in memory: the newest 500, fewer when they are very large. */
export function createMails() {
	let received = 0;
	const kept = new LRUCache<string, Mail>({
		max: 500,
		maxSize: 100 * 1024 * 1024,
		// A text takes two bytes per character at most.
		sizeCalculation: ({ subject, text, html }) => 1 + 2 * (subject + text + html).length,
	});
	return {
		/** Stores a mail, forgetting the oldest beyond the bounds. */
		add(mail: NewMail): void {
			const id = String((received += 1));
			kept.set(id, { id, receivedAt: new Date().toISOString(), ...mail });
		},
		newest: () => [...kept.values()],
		find: (id: string) => kept.peek(id),
		/** Forgets all; returns how many there were. */
		clear(): number {
			const { size } = kept;
			kept.clear();
			return size;
		},
	};
}
