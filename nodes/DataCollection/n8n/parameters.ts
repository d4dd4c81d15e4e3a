import {
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeProperties,
	type INodePropertyOptions,
	type IWebhookFunctions,
	tryToParseDateTime,
} from 'n8n-workflow';

import { shown, visible } from '../basics/text';
import { isPresent, type parseList, parseNumber, textOf } from '../basics/values';
import { userError } from './errors';
import type { Hint } from './hints';

type Context = IExecuteFunctions | IHookFunctions | IWebhookFunctions;

type Labelled = Pick<INodeProperties, 'displayName'>;

export type Parameters = ReturnType<typeof parametersOf>;

/**
 * `collection` is the field's collection, such as `options`; a text or number in it is not set if it is
 * empty, null or undefined. A UserError names the field; without `hint`, undefined is one, too.
 */
export function parametersOf(context: Context, itemIndex?: number, hint?: Hint) {
	const value = (field: INodeProperties, collection?: string) =>
		enteredIn(context, itemIndex, field, collection);
	const present = (field: INodeProperties, collection?: string) =>
		presentIn(field, value(field, collection));
	const optional = <T>(
		parse: (field: INodeProperties, entered: unknown) => T,
		field: INodeProperties,
		collection?: string,
	) => {
		const entered = value({ ...field, default: '' }, collection);
		if (entered === undefined && hint !== undefined) {
			const at = { itemIndex: itemIndex ?? 0, reason: 'the expression finds nothing there' };
			hint(`${field.displayName} is not set`, at);
			return undefined;
		}
		const isUnset = entered === null || (typeof entered === 'string' && visible(entered) === '');
		return isUnset ? undefined : parse(field, presentIn(field, entered));
	};
	const optionalNumber = (field: INodeProperties, collection?: string) =>
		optional(numberIn, field, collection);
	return {
		itemIndex,
		/** What was entered, or the default if an option was not added. */
		value,
		present,
		/** Without surrounding spaces, or undefined if it is not set. Numbers become text. */
		text: (field: INodeProperties, collection?: string) => optional(textIn, field, collection),
		/** An expression that finds nothing is an error. */
		strictText: (field: INodeProperties, collection?: string) =>
			parametersOf(context, itemIndex).text(field, collection),
		/** Must not be empty. `moreDescription` may add to the description. */
		required: (field: INodeProperties, moreDescription = () => '') =>
			requiredIn(field, value(field), itemIndex ?? 0, moreDescription),
		/** As the field's `typeOptions` allow it. In a collection, the default if it is not set. */
		number: (field: INodeProperties, collection?: string) =>
			collection === undefined
				? numberIn(field, present(field))
				: (optionalNumber(field, collection) ?? Number(field.default)),
		optionalNumber,
		boolean: (field: INodeProperties, collection?: string) =>
			booleanIn(field, present(field, collection)),
		date: (field: INodeProperties) => dateIn(field, value(field), context.getTimezone()),
		option: (field: INodeProperties) => optionIn(field, value(field)),
	};
}

function enteredIn(
	context: Context,
	itemIndex: number | undefined,
	{ name, default: otherwise }: INodeProperties,
	collection?: string,
): unknown {
	const path = collection === undefined ? name : `${collection}.${name}`;
	return itemIndex === undefined
		? (context as IWebhookFunctions).getNodeParameter(path, otherwise as object)
		: (context as IExecuteFunctions).getNodeParameter(path, itemIndex, otherwise);
}

export function presentIn({ displayName }: Labelled, entered: unknown): NonNullable<unknown> {
	if (isPresent(entered)) return entered;
	const description =
		'Check the expression: it finds nothing. If the field may be left out, remove it, or let the expression return an empty text.';
	throw userError({ message: `${displayName} is empty`, description });
}

/** Without surrounding spaces; undefined if it is empty. */
function textIn({ displayName }: Labelled, entered: unknown) {
	const text = textOf(entered);
	if (text !== undefined) return text.trim() || undefined;
	const description = 'Check the expression: it returns an object or a list.';
	throw userError({ message: `${displayName} is not text`, description });
}

function requiredIn(
	field: INodeProperties,
	entered: unknown,
	itemIndex: number,
	moreDescription: () => string,
): string {
	const text = textIn(field, entered ?? '');
	if (text !== undefined) return text;
	const description = `Enter the ${field.displayName}, or check that the expression returns a value for item ${itemIndex + 1}.`;
	const message = `${field.displayName} is empty`;
	throw userError({ message, description: `${description}${moreDescription()}` });
}

function numberIn(field: INodeProperties, entered: unknown): number {
	const { displayName, typeOptions = {}, default: example } = field;
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = typeOptions;
	const isWhole = numberPrecision === 0;
	const number = parseNumber(entered) ?? NaN;
	const isPrecise = !isWhole || Number.isSafeInteger(number);
	if (number >= minValue && number <= maxValue && isPrecise) return number;
	const range = maxValue < Infinity ? `from ${minValue} to ${maxValue}` : `of ${minValue} or more`;
	const kind = `a ${isWhole ? 'whole ' : ''}number ${range}`;
	const message = `${displayName} is not ${kind}: ${shown(entered)}`;
	const description = `Enter ${kind}, e.g. ${String(example)}, or remove the field.`;
	throw userError({ message, description });
}

/** What spreadsheets, databases and forms write for a switch. */
const ON = ['true', 'yes', '1'];
const OFF = ['false', 'no', '0'];

export function booleanIn({ displayName }: Labelled, entered: unknown): boolean {
	const text = typeof entered === 'boolean' ? String(entered) : (textOf(entered) ?? '');
	const word = visible(text).toLowerCase();
	if ([...ON, ...OFF].includes(word)) return ON.includes(word);
	const message = `${displayName} is not true or false: ${shown(entered)}`;
	const description = 'Switch it on or off, or use an expression that returns true or false.';
	throw userError({ message, description });
}

/** Milliseconds since 1970. A date without a time zone is in the workflow's, as in n8n's own nodes. */
function dateIn({ displayName }: Labelled, entered: unknown, zone: string): number {
	try {
		return tryToParseDateTime(entered as string, zone).toMillis();
	} catch {
		const description =
			'Select a date and time, or use an expression that returns one, such as 2030-01-31T09:00:00.';
		throw userError({ message: `${displayName} is not a valid date`, description });
	}
}

function optionIn({ displayName, options }: INodeProperties, entered: unknown): string {
	const choices = options as INodePropertyOptions[];
	if (choices.some((choice) => choice.value === entered)) return String(entered);
	const quoted = JSON.stringify(entered) ?? 'undefined';
	const named = choices.map((choice) => `${choice.value} (${choice.name})`).join(', ');
	const message = `${displayName} is not one of its choices: ${quoted.slice(0, 50)}`;
	const description = `Select one of them, or use an expression that returns one of: ${named}.`;
	throw userError({ message, description });
}

export function listIn(
	{ displayName }: Labelled,
	entered: unknown,
	parse: typeof parseList,
	description: string,
): string[] {
	const list = parse(entered);
	if (list !== undefined && list.length > 0) return list;
	const what = list === undefined ? 'is not a list of texts' : 'is empty';
	throw userError({ message: `${displayName} ${what}`, description });
}
