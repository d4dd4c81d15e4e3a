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

const KEPT = 500;

/** Keeps the newest 500 mails in memory. */
export function createMails() {
	let received = 0;
	let kept: Mail[] = [];
	return {
		/** Stores a mail and drops the oldest one beyond the limit. */
		add(mail: NewMail): void {
			const id = String((received += 1));
			kept = [{ id, receivedAt: new Date().toISOString(), ...mail }, ...kept].slice(0, KEPT);
		},
		newest: () => kept,
		find: (id: string) => kept.find((mail) => mail.id === id),
	};
}
