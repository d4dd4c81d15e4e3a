import type { INodeProperties } from 'n8n-workflow';

import { parseHttpUrl } from '../basics/url';
import { userError } from '../n8n/errors';
import type { Parameters } from '../n8n/parameters';

export function readWebhookUrl({ required }: Parameters, field: INodeProperties): URL {
	const url = parseHttpUrl(required(field));
	if (url !== undefined) return url;
	const description =
		'Copy the URL of the Data Collection Trigger, e.g. https://n8n.example.com/webhook/…/webhook.';
	throw userError({
		message: `${field.displayName} is not an absolute http(s) address`,
		description,
	});
}
