import PostalMime, { type Address, type Attachment as Part } from 'postal-mime';
import { linksIn } from './links.mts';
import type { Attachment, NewMail } from './mails.mts';

/** Whom the sender named to the server, which the header of the mail need not repeat. */
export interface Envelope {
	from: string;
	to: string[];
}

function shown({ name, address = '' }: Address): string {
	if (name === '') return address;
	return address === '' ? name : `${name} <${address}>`;
}

function describe({ filename, mimeType, content }: Part): Attachment {
	const size = typeof content === 'string' ? content.length : content.byteLength;
	return { name: filename ?? 'Without a name', type: mimeType, size };
}

/** Reads a mail from the bytes that were sent; throws when it is nested beyond reason. */
export async function parseMail(raw: Buffer, envelope: Envelope): Promise<NewMail> {
	const parsed = await PostalMime.parse(raw);
	const { subject = '', text = '', html = '', attachments } = parsed;
	return {
		from: parsed.from === undefined ? envelope.from : shown(parsed.from),
		to: envelope.to,
		subject,
		text,
		html,
		links: linksIn(text, html),
		attachments: attachments.map(describe),
	};
}
