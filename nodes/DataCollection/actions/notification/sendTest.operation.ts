import { randomUUID } from 'node:crypto';

import type { GenericValue, IDataObject, INodeProperties } from 'n8n-workflow';

import { clock } from '../../basics/clock';
import type { Explanation } from '../../basics/explanation';
import type { NetworkFailure } from '../../basics/networkFailure';
import { orThrow, userError } from '../../n8n/errors';
import { optionsField } from '../../n8n/fields';
import { sendPlain } from '../../n8n/http';
import { parametersOf } from '../../n8n/parameters';
import { MADE_UP_ID } from '../../service/collectionRequest';
import { UPDATED } from '../../service/notification';
import { removeHarmfulFields } from '../../service/redact';
import { messageIn } from '../../service/responseText';
import { signedHeaders } from '../../service/signature';
import type { Run } from '../../shared/operation';
import { readWebhookUrl } from '../../shared/readWebhookUrl';
import { requestIdIn } from '../../shared/requestId';

/** Milliseconds after which the service gives up on a delivery (Delivery). */
const RESPONSE_TIME = 5_000;

const webhookUrlField: INodeProperties = {
	displayName: 'Webhook URL',
	name: 'webhookUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://n8n.example.com/webhook-test/…/webhook',
	description: 'Test URL of a trigger that is listening, or production URL of a published one',
};

const requestIdOption: INodeProperties = {
	displayName: 'Request ID',
	name: 'requestId',
	type: 'string',
	default: MADE_UP_ID,
	description:
		'ID or guest link of the collection request that the notification is about. The made-up ID is enough if nothing after the trigger reads the collection request.',
};

const shareStatusOption: INodeProperties = {
	displayName: 'Share Status',
	name: 'shareStatus',
	type: 'string',
	default: 'completed',
};

const webhookIdentifierOption: INodeProperties = {
	displayName: 'Webhook Identifier',
	name: 'webhookIdentifier',
	type: 'string',
	default: '',
	placeholder: 'e.g. onboarding',
};

export const description: INodeProperties[] = [
	webhookUrlField,
	optionsField([requestIdOption, shareStatusOption, webhookIdentifierOption]),
];

/**
 * Signs a notification with the credential's webhook secret, as the service does (Delivery),
 * and sends it once. Outputs the response of the receiver. Throws a UserError if it did not
 * accept the notification: n8n's canvas shows nothing else of a response.
 */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const { connection, context } = run;
	const secret = orThrow(connection.signingSecret);
	const parameters = parametersOf(context, itemIndex);
	const url = readWebhookUrl(parameters, webhookUrlField).href;
	const timestamp = String(clock.now());
	const notification = {
		event: UPDATED,
		requestId: requestIdIn(run, parameters.text(requestIdOption, 'options') ?? MADE_UP_ID),
		shareStatus: parameters.text(shareStatusOption, 'options') ?? 'completed',
		webhookIdentifier: parameters.text(webhookIdentifierOption, 'options'),
		timestamp,
	};
	const body = JSON.stringify(notification);
	const deliveryId = randomUUID();
	const headers = signedHeaders(secret, { body, timestamp, event: UPDATED, deliveryId });
	const result = await sendPlain(context, { method: 'POST', url, headers, body }, RESPONSE_TIME);
	if (!result.ok) throw userError(unreachable(result.error));
	const { statusCode, body: content } = result.value;
	if (statusCode < 200 || statusCode >= 300) {
		throw userError(refused(statusCode, messageIn(content, connection.redactor)));
	}
	const response = removeHarmfulFields(content as GenericValue);
	return { statusCode, response, deliveryId, ...notification };
}

/** The most common failures when somebody tries a trigger. */
const WORDS = {
	redirect: {
		message: 'The webhook URL redirects, which the service does not follow',
		description: 'Enter the address that it redirects to.',
	},
	unverified: {
		message: 'The receiver refused the signature',
		description:
			'Its credential needs the same webhook secret as the credential of this node. If it verifies behind a Webhook node, Raw Body may be missing there: its execution says so.',
	},
	notFound: {
		message: 'Nothing receives notifications at this URL',
		description:
			'A test URL works only while its trigger is listening: click "Execute step" in the trigger, then run this node. A production URL works only once its workflow is published. If the receiver is a Webhook node, set it to POST.',
	},
	refused: {
		message: 'The receiver did not accept the notification',
		description:
			'Its executions, or the log of its n8n, say why. The service would get the same response.',
	},
	timeout: {
		message: 'The webhook URL did not respond within 5 seconds',
		description: 'Check the host and the port, and what the receiver does before it responds.',
	},
	unreachable: {
		message: 'The webhook URL could not be reached',
		description:
			'n8n itself sends the notification, so the URL must be reachable from where n8n runs. In a container, localhost is the container itself. Check the host and the port.',
	},
} satisfies Record<string, Explanation>;

function refused(status: number, receiverMessage?: string): Explanation {
	const { message, description } = WORDS[caseOf(status)];
	const quote = receiverMessage === undefined ? '' : ` The receiver says: "${receiverMessage}"`;
	return { message: `${message} (HTTP ${status})`, description: `${description}${quote}` };
}

function caseOf(status: number): keyof typeof WORDS {
	if (status < 400) return 'redirect';
	if (status === 401) return 'unverified';
	return status === 404 ? 'notFound' : 'refused';
}

function unreachable({ code }: NetworkFailure): Explanation {
	const { message, description } = code === 'ETIMEDOUT' ? WORDS.timeout : WORDS.unreachable;
	return { message, description: `${description} (${code})` };
}
