const MAILS_KEPT = 500;
const BYTES_KEPT = 100 * 1024 * 1024;

export interface Attachment {
	name: string;
	type: string;
	/** Bytes. */
	size: number;
}

/** A mail as its receiver sees it; everything in it is what a stranger wrote. */
export interface NewMail {
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
	attachments: Attachment[];
}

export interface Mail extends NewMail {
	id: string;
	/** ISO 8601. */
	receivedAt: string;
}

/** The mails in memory: the newest 500, fewer when they are very large. */
export interface Mails {
	/** Stores a mail, forgetting the oldest beyond the bounds. */
	add(mail: NewMail): Mail;
	/** Newest first. */
	newest(): Mail[];
	find(id: string): Mail | undefined;
	/** Forgets all; returns how many there were. */
	clear(): number;
}

// A text takes two bytes per character at most.
const sizeOf = ({ subject, text, html }: Mail) => 2 * (subject.length + text.length + html.length);

export function createMails(): Mails {
	let kept: Mail[] = [];
	let bytes = 0;
	let received = 0;
	const isOver = () => kept.length > MAILS_KEPT || (bytes > BYTES_KEPT && kept.length > 1);
	return {
		add(mail) {
			received += 1;
			const stored = { id: String(received), receivedAt: new Date().toISOString(), ...mail };
			kept.push(stored);
			bytes += sizeOf(stored);
			while (isOver()) {
				const [oldest] = kept.splice(0, 1);
				if (oldest !== undefined) bytes -= sizeOf(oldest);
			}
			return stored;
		},
		newest: () => kept.toReversed(),
		find: (id) => kept.find((mail) => mail.id === id),
		clear() {
			const { length } = kept;
			kept = [];
			bytes = 0;
			return length;
		},
	};
}
