import type { IDataObject } from 'n8n-workflow';

/** Parses a JSON text that the test knows to be an object. */
export function parseObject(text: string): IDataObject {
	return JSON.parse(text) as IDataObject;
}
