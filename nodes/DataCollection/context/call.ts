import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { CreateCollectionRequest } from '../shared/types';
import type { Connection } from './connection';

/** Every n8n context that can call the service. */
export type ApiContext = IExecuteFunctions | IWebhookFunctions;

interface Call {
	connection: Connection;
	/** Seconds until an attempt is given up. */
	timeout: number;
	/** Milliseconds since 1970 after which nothing is tried any more. */
	deadline?: number;
	itemIndex?: number;
}

/** Reads one resource; the ID may hold any characters, it is encoded into the path. */
export interface ReadCall extends Call {
	request: 'read';
	resource: 'collection-request' | 'share';
	id: string;
}

/** Creates a collection request; repeated only when it certainly did not arrive. */
export interface CreateCall extends Call {
	request: 'create';
	body: CreateCollectionRequest;
}

export type ApiCall = ReadCall | CreateCall;
