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

/** 5 MB of ordinary lines are fewer; the parser takes minutes for as much of empty ones. */
const MAXIMUM_LINES = 100_000;

function hasTooManyLines(raw: Buffer): boolean {
	let lines = 0;
	for (
		let at = raw.indexOf('\n');
		at !== -1 && lines <= MAXIMUM_LINES;
		at = raw.indexOf('\n', at + 1)
	) {
		lines += 1;
	}
	return lines > MAXIMUM_LINES;
}

/** Reads a mail from the bytes that were sent; throws when its structure is beyond reason. */
export async function parseMail(raw: Buffer, envelope: Envelope): Promise<NewMail> {
	if (hasTooManyLines(raw)) throw new Error(`More than ${MAXIMUM_LINES} lines`);
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
