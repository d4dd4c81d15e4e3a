import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isObject } from '../basics/values';
import { parametersOf } from './parameters';

/** What was entered, before n8n evaluates it. */
function rawOf(
	context: IExecuteFunctions,
	{ name }: INodeProperties,
	collection?: string,
): unknown {
	const { parameters } = context.getNode();
	if (collection === undefined) return parameters[name];
	const fields: unknown = parameters[collection];
	return isObject(fields) ? fields[name] : undefined;
}

export const isExpression = (entered: unknown): boolean =>
	typeof entered === 'string' && entered.startsWith('=');

/** The editor leaves "=" of an expression that was emptied. */
export function unevaluated(context: IExecuteFunctions, field: INodeProperties): string {
	const entered = String(rawOf(context, field) ?? field.default).trim();
	return entered === '=' ? '' : entered;
}

/** An expression that takes a field of the input item. */
const FIELD = /^=\{\{\s*\$json(?:\.(\w+)|\[["']([^"'\\]+)["']\])\s*\}\}$/;

/** The field of the input item that an expression takes, if it does nothing else. */
export function inputFieldOf(expression: unknown): string | undefined {
	const [, plain, field = plain] = FIELD.exec(String(expression).trim()) ?? [];
	return field;
}

/** n8n takes seconds to evaluate thousands of expressions, so `$json.field` is read directly. */
export function valuesOf(
	context: IExecuteFunctions,
	field: INodeProperties,
	collection?: string,
): (itemIndex: number) => unknown {
	const raw = rawOf(context, field, collection) ?? field.default;
	if (!isExpression(raw) && typeof raw !== 'object') return () => raw;
	const inputField = inputFieldOf(raw);
	const items = context.getInputData();
	return inputField === undefined
		? (itemIndex) => parametersOf(context, itemIndex).value(field, collection)
		: (itemIndex) => items[itemIndex]?.json[inputField];
}
