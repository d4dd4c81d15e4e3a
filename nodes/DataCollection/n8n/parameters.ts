import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeProperties,
	INodePropertyOptions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isPresent, type parseList, parseNumber, shown, textOf, visible } from '../basics/values';
import { userError } from './errors';

type Context = IExecuteFunctions | IHookFunctions | IWebhookFunctions;

/** A field, or whatever else has a label on the screen. */
type Labelled = Pick<INodeProperties, 'displayName'>;

type Parse<T> = (field: INodeProperties, entered: unknown) => T;

/**
 * Shows a warning next to the output, or what is only information, once for all items. With an item, what
 * is shown is the message, then `for items 2 and 5`, counted from 1, then the reason.
 */
export type Hint = (message: string, at?: { itemIndex: number; reason: string } | 'info') => void;

/** The reader of an item's parameters, or of a trigger's. */
export type Parameters = ReturnType<typeof parametersOf>;

/**
 * Reads the parameters of an input item, or of a trigger, which has no items. Each function takes the
 * field itself, and the collection that it stands in, such as `options`. Throws a UserError that
 * names the field if it holds something else than it may. A text or a number in a collection is
 * not set if it is empty or null. If its expression finds nothing (undefined), it is not set either, and
 * a hint says so; without `hint`, that is an error.
 */
export function parametersOf(context: Context, itemIndex?: number, hint?: Hint) {
	const value = (field: INodeProperties, collection?: string) =>
		enteredIn(context, itemIndex, field, collection);
	const present = (field: INodeProperties, collection?: string) =>
		found(field, value(field, collection));
	/** What was entered for a text or a number; undefined if it is not set. */
	const optional = <T>(parse: Parse<T>, field: INodeProperties, collection?: string) => {
		const entered = value({ ...field, default: '' }, collection);
		if (entered === undefined && hint !== undefined) {
			const at = { itemIndex: itemIndex ?? 0, reason: 'the expression finds nothing there' };
			hint(`${field.displayName} is not set`, at);
			return undefined;
		}
		const isUnset = entered === null || (typeof entered === 'string' && visible(entered) === '');
		return isUnset ? undefined : parse(field, found(field, entered));
	};
	const optionalNumber = (field: INodeProperties, collection?: string) =>
		optional(numberIn, field, collection);
	return {
		itemIndex,
		/** What was entered, or the default if an option was not added. */
		value,
		/** The same, if it is neither undefined nor null. */
		present,
		/** A part of what was entered, if it is neither undefined nor null. */
		found: (field: Labelled, part: unknown) => found(field, part),
		/** A text without surrounding spaces, or undefined if it is not set. Numbers become text. */
		text: (field: INodeProperties, collection?: string) => optional(textIn, field, collection),
		/** The same, but an expression that finds nothing is an error. */
		strictText: (field: INodeProperties, collection?: string) =>
			parametersOf(context, itemIndex).text(field, collection),
		/** A text that must not be empty. `moreDescription` may add to the description. */
		required: (field: INodeProperties, moreDescription = () => '') =>
			requiredIn(field, value(field), itemIndex, moreDescription),
		/** A number as the field's `typeOptions` allow it. In a collection, the default if it is not set. */
		number: (field: INodeProperties, collection?: string) =>
			collection === undefined
				? numberIn(field, present(field))
				: (optionalNumber(field, collection) ?? Number(field.default)),
		optionalNumber,
		/** Whether a switch is on. */
		boolean: (field: INodeProperties, collection?: string) =>
			booleanIn(field, present(field, collection)),
		/** The value of one of the field's choices. */
		option: (field: INodeProperties) => optionIn(field, value(field)),
		/** The entries of a list, at least one. `parse` is `parseList` or `parseWords`. */
		list: (field: INodeProperties, parse: typeof parseList, description: string) =>
			listIn(field, value(field), parse, description),
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

function found({ displayName }: Labelled, entered: unknown): NonNullable<unknown> {
	if (isPresent(entered)) return entered;
	const description =
		'Check the expression: it finds nothing. If the field may be left out, remove it, or let the expression return an empty text.';
	throw userError({ message: `${displayName} is empty`, description });
}

/** The text that was entered, without surrounding spaces; undefined if it is empty. */
export function textIn({ displayName }: Labelled, entered: unknown) {
	const text = textOf(entered);
	if (text !== undefined) return text.trim() || undefined;
	const description = 'Check the expression: it returns an object or a list.';
	throw userError({ message: `${displayName} is not text`, description });
}

function requiredIn(
	field: INodeProperties,
	entered: unknown,
	itemIndex: number | undefined,
	moreDescription: () => string,
): string {
	const text = textIn(field, entered ?? '');
	if (text !== undefined) return text;
	const where = itemIndex === undefined ? '' : ` for item ${itemIndex + 1}`;
	const description = `Enter the ${field.displayName}, or check that the expression returns a value${where}.`;
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
const BOOLEANS = new Map([
	...['true', 'yes', '1'].map((text) => [text, true] as const),
	...['false', 'no', '0'].map((text) => [text, false] as const),
]);

/** Whether a switch is on. */
export function booleanIn({ displayName }: Labelled, entered: unknown): boolean {
	const text = typeof entered === 'boolean' ? String(entered) : (textOf(entered) ?? '');
	const flag = BOOLEANS.get(visible(text).toLowerCase());
	if (flag !== undefined) return flag;
	const message = `${displayName} is not true or false: ${shown(entered)}`;
	const description = 'Switch it on or off, or use an expression that returns true or false.';
	throw userError({ message, description });
}

function optionIn({ displayName, options }: INodeProperties, entered: unknown): string {
	const choices = options as INodePropertyOptions[];
	if (choices.some((choice) => choice.value === entered)) return String(entered);
	const quoted = JSON.stringify(entered) ?? 'undefined';
	const known = choices.map((choice) => `${choice.value} (${choice.name})`).join(', ');
	const message = `${displayName} is not one of its choices: ${quoted.slice(0, 50)}`;
	const description = `Select one of them, or use an expression that returns one of: ${known}.`;
	throw userError({ message, description });
}

/** The entries of a list, at least one. */
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
