import { LRUCache } from 'lru-cache';

/** A mail as its recipient sees it; all of its content is untrusted. */
export interface Mail {
	id: string;
	/** ISO 8601. */
	receivedAt: string;
	/** As in the mail's header: `Name <address>` or the address alone. */
	from: string;
	/** The addresses it was delivered to, blind copies included. */
	to: string[];
	subject: string;
	/** Empty if the mail has no such part. */
	text: string;
	html: string;
	/** The HTTP and HTTPS URLs in `text` and `html`, in order and without duplicates. */
	links: string[];
	/** `size` in bytes. */
	attachments: Array<{ name: string; type: string; size: number }>;
}

export type NewMail = Omit<Mail, 'id' | 'receivedAt'>;
export type Mails = ReturnType<typeof createMails>;

/** Keeps the newest 500 mails in memory, or fewer if they are very large. */
export function createMails() {
	let received = 0;
	const kept = new LRUCache<string, Mail>({
		max: 500,
		maxSize: 100 * 1024 * 1024,
		// A string takes at most two bytes per character.
		sizeCalculation: ({ subject, text, html }) => 1 + 2 * (subject + text + html).length,
	});
	return {
		/** Stores a mail and drops the oldest ones beyond the limits. */
		add(mail: NewMail): void {
			const id = String((received += 1));
			kept.set(id, { id, receivedAt: new Date().toISOString(), ...mail });
		},
		newest: () => [...kept.values()],
		find: (id: string) => kept.peek(id),
		/** Deletes all mails and returns how many there were. */
		clear(): number {
			const { size } = kept;
			kept.clear();
			return size;
		},
	};
}
