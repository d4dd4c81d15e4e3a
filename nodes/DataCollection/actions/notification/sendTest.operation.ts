import { randomUUID } from 'node:crypto';

import type {
	GenericValue,
	IDataObject,
	IExecuteFunctions,
	IN8nHttpFullResponse,
	INodeProperties,
	NodeOperationError,
} from 'n8n-workflow';

import { cancelSignalOf, exchange } from '../../api/attempt';
import type { Texts } from '../../api/errors';
import { MADE_UP_ID, wordsOf } from '../../api/errors';
import { serviceMessage } from '../../api/response';
import type { Failure } from '../../api/types';
import { parseHttpUrl } from '../../credential/address';
import type { Parameters } from '../../parameters';
import { parametersOf } from '../../parameters';
import { removeHarmfulFields } from '../../sanitize';
import { UPDATED } from '../../webhook/notification';
import { signedHeaders } from '../../webhook/signature';
import type { Run } from '../operation';
import { readRequestId, requestIdField } from '../fields';

/** Milliseconds after which the service gives up on a delivery (Delivery). */
const TIMEOUT_MS = 5_000;

const webhookUrlField: INodeProperties = {
	displayName: 'Webhook URL',
	name: 'webhookUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://n8n.example.com/webhook-test/…/webhook',
	description: 'Test URL of a trigger that is listening, or production URL of a published one',
};

const shareStatusField: INodeProperties = {
	displayName: 'Share Status',
	name: 'shareStatus',
	type: 'string',
	default: 'completed',
};

const webhookIdentifierField: INodeProperties = {
	displayName: 'Webhook Identifier',
	name: 'webhookIdentifier',
	type: 'string',
	default: '',
	placeholder: 'e.g. onboarding',
};

export const description: INodeProperties[] = [
	webhookUrlField,
	{
		...requestIdField,
		default: MADE_UP_ID,
		description:
			'ID or guest link of the collection request that the notification is about. The made-up ID is enough if nothing after the trigger reads the collection request.',
	},
	shareStatusField,
	webhookIdentifierField,
];

/**
 * Signs a notification with the credential's webhook secret, as the service does (Webhook request),
 * and sends it once. Outputs the response of the receiver. Throws a NodeOperationError if it did not
 * accept the notification: n8n's canvas shows nothing else of a response.
 */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const { clock, connection, context } = run;
	const { signing, webhookSecret } = connection;
	const given = parametersOf(context, itemIndex);
	if (!signing.ok) throw given.wrong(signing.fault.message, signing.fault.description);
	const url = webhookUrlOf(given);
	const timestamp = String(clock.now());
	const notification = {
		event: UPDATED,
		requestId: readRequestId(run, itemIndex),
		shareStatus: given.text(shareStatusField),
		webhookIdentifier: given.text(webhookIdentifierField),
		timestamp,
	};
	const body = JSON.stringify(notification);
	const deliveryId = randomUUID();
	const headers = signedHeaders(webhookSecret, { body, timestamp, event: UPDATED, deliveryId });
	const result = await exchange(clock, TIMEOUT_MS, async () => ({
		ok: true,
		value: await post(context, { url, headers, body }),
	}));
	if (!result.ok) throw unreachable(given, result.failure);
	const { statusCode, body: content } = result.value;
	if (statusCode < 200 || statusCode >= 300) {
		throw refused(given, statusCode, serviceMessage(content, connection.sanitizer));
	}
	const response = removeHarmfulFields(content as GenericValue);
	return { statusCode, response, deliveryId, ...notification };
}

function webhookUrlOf({ text, wrong }: Parameters): string {
	const url = parseHttpUrl(text(webhookUrlField) ?? '');
	if (url !== undefined) return url.href;
	const advice =
		'Copy the test URL of the Data Collection Trigger. It begins with https:// or http://.';
	throw wrong('Webhook URL is not an absolute http(s) address', advice);
}

/** Sends the request without the credential's headers. */
async function post(
	context: IExecuteFunctions,
	request: { url: string; headers: IDataObject; body: string },
): Promise<IN8nHttpFullResponse> {
	return (await context.helpers.httpRequest({
		...request,
		method: 'POST',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: TIMEOUT_MS,
		// Unlike for requests with a credential, n8n does not add its signal here by itself.
		abortSignal: cancelSignalOf(context),
	})) as IN8nHttpFullResponse;
}

/** The most common failures when somebody tries a trigger, as in `api/errors.ts`. */
const TEXTS: Texts = {
	'3xx':
		'The webhook URL redirects, which the service does not follow. Enter the address that it redirects to.',
	'401':
		'The receiver refused the signature. Its credential needs the same webhook secret as the credential of this node. If it verifies behind a Webhook node, Raw Body may be missing there: its execution says so.',
	'404':
		'Nothing receives notifications at this URL. A test URL works only while its trigger is listening: click "Execute step" in the trigger, then run this node. A production URL works only once its workflow is published. If the receiver is a Webhook node, set it to POST.',
	refused:
		'The receiver did not accept the notification. Its executions, or the log of its n8n, say why. The service would get the same response.',
	ETIMEDOUT:
		'The webhook URL did not respond within 5 seconds. Check the host and the port, and what the receiver does before it responds.',
	unreachable:
		'The webhook URL could not be reached. n8n itself sends the notification, so the URL must be reachable from where n8n runs. In a container, localhost is the container itself. Check the host and the port. (<code>)',
};

function refused({ wrong }: Parameters, statusCode: number, receiverMessage?: string) {
	const cases = statusCode < 400 ? ['3xx'] : [`${statusCode}`, 'refused'];
	const { message, advice } = wordsOf(TEXTS, cases);
	const quote = receiverMessage === undefined ? '' : ` The receiver says: "${receiverMessage}"`;
	return wrong(`${message} (HTTP ${statusCode})`, `${advice}${quote}`);
}

function unreachable({ wrong }: Parameters, failure: Failure): NodeOperationError {
	const code = failure.kind === 'network' ? failure.code : failure.kind;
	const { message, advice } = wordsOf(TEXTS, [code, 'unreachable'], { code });
	return wrong(message, advice);
}
