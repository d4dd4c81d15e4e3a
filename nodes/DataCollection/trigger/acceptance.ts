import type { IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

type HttpResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Milliseconds between two looks at an answer that nobody receives, and until the last look. */
const PAUSE = 250;
const LAST_LOOK = 60_000;

/**
 * Resolves to whether n8n has accepted the delivery, once it has answered. A sender that has hung
 * up receives no answer, but n8n goes on: only the answer it then writes into the void tells
 * whether the execution was stored.
 */
export async function isAccepted(response: HttpResponse): Promise<boolean> {
	await new Promise<void>((resolve) => {
		if (response.closed) resolve();
		else response.once('close', resolve);
	});
	for (let waited = 0; !response.writableEnded && waited < LAST_LOOK; waited += PAUSE) {
		await sleep(PAUSE);
	}
	return response.writableEnded && response.statusCode < 300;
}
