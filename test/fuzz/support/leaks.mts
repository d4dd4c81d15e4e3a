import { sign } from '../../support/delivery.mts';
import { passageOf } from './host.mts';
import type { Entry } from './ledger.mts';
import type { World } from './request.mts';

/** What was found in n8n's texts that could give a secret away. */
export interface Traces {
	hasSecret: boolean;
	/** Whatever looks like a signature. */
	candidates: Set<string>;
}

/** Before the first text. */
export const noTraces = (): Traces => ({ hasSecret: false, candidates: new Set() });

/** Also those that begin inside a longer run of digits. */
const likeSignatures = /(?=([0-9a-f]{64}))/g;

const verifying = ({ secret, previous }: World) => [secret, ...previous];
const spelt = (secret: string) => [secret, JSON.stringify(secret).slice(1, -1)];

/** Adds what a text has to the traces. */
export function addTraces(traces: Traces, text: string, world: World): void {
	traces.hasSecret ||= verifying(world)
		.flatMap(spelt)
		.some((secret) => text.includes(secret));
	for (const [, digits = ''] of text.matchAll(likeSignatures)) traces.candidates.add(digits);
}

/** The signatures that would verify a delivery, as it was sent and as n8n hands it over. */
function expectedOf({ made: { letter, request } }: Entry, world: World): string[] {
	const { arrived } = passageOf(request);
	const [timestamp = letter.timestamp] = arrived?.values('x-svc-timestamp') ?? [];
	const body = arrived?.body ?? request.body;
	return verifying(world).flatMap((secret) => [
		sign(secret, letter.timestamp, request.body),
		sign(secret, timestamp, body),
	]);
}

/** Whether the traces have a secret, or a signature that would verify one of the deliveries. */
export function hasLeak(traces: Traces, entries: Entry[], world: World): boolean {
	const { hasSecret, candidates } = traces;
	// Mostly there are none: then nothing has to be signed.
	if (hasSecret || candidates.size === 0) return hasSecret;
	return entries.some((entry) =>
		expectedOf(entry, world).some((signature) => candidates.has(signature)),
	);
}
