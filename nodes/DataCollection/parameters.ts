import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeProperties,
	INodePropertyOptions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Words } from './result';
import { isGiven, parseList, parseNumber, textOf } from './values';

type Context = IExecuteFunctions | IHookFunctions | IWebhookFunctions;

/** A field, or whatever else has a label on the screen. */
type Labelled = Pick<INodeProperties, 'displayName'>;

/** Makes an error about what was entered. */
type Wrong = (words: Words) => NodeOperationError;

/** The reader of an item's parameters, or of a trigger's. */
export type Parameters = ReturnType<typeof parametersOf>;

/**
 * Reads the parameters of an input item, or of a trigger, which has no items. Each function takes the
 * field itself, and the collection that it stands in, such as `options`. Throws a NodeOperationError
 * that names the field if it holds something else than it may. An expression that finds nothing
 * (undefined or null) does not mean that the field is not set; an empty text does.
 */
export function parametersOf(context: Context, itemIndex?: number) {
	const wrong = wrongFor(context, itemIndex);
	const value = (field: INodeProperties, collection?: string) =>
		enteredIn(context, itemIndex, field, collection);
	const given = (field: INodeProperties, collection?: string) =>
		found(wrong, field, value(field, collection));
	const enteredOrEmpty = (field: INodeProperties, collection?: string) =>
		given({ ...field, default: '' }, collection);
	return {
		itemIndex,
		wrong,
		/** What was entered, or the default if an option was not added. */
		value,
		/** The same, if it is neither undefined nor null. */
		given,
		/** A part of what was entered, if it is neither undefined nor null. */
		found: (field: Labelled, part: unknown) => found(wrong, field, part),
		/** A text without surrounding spaces, or undefined if it is empty. Numbers become text. */
		text: (field: INodeProperties, collection?: string) =>
			textIn(wrong, field, enteredOrEmpty(field, collection)),
		/** A text that must not be empty. `moreAdvice` may add to the advice. */
		required: (field: INodeProperties, moreAdvice = () => '') =>
			requiredIn(wrong, field, value(field), itemIndex, moreAdvice),
		/** A number as the field's `typeOptions` allow it. */
		number: (field: INodeProperties, collection?: string) =>
			numberIn(wrong, field, given(field, collection)),
		optionalNumber: (field: INodeProperties, collection?: string) =>
			optionalNumberIn(wrong, field, enteredOrEmpty(field, collection)),
		/** Whether a switch is on. */
		flag: (field: INodeProperties, collection?: string) =>
			flagIn(wrong, field, given(field, collection)),
		/** The value of one of the field's choices. */
		choice: (field: INodeProperties) => choiceIn(wrong, field, value(field)),
		/** The entries of a list, at least one. `parse` is `parseList` or `parseWords`. */
		list: (field: INodeProperties, parse: typeof parseList, advice: string) =>
			listIn(wrong, field, value(field), parse, advice),
	};
}

const wrongFor =
	(context: Context, itemIndex?: number): Wrong =>
	({ message, advice: description }) => {
		const error = new NodeOperationError(context.getNode(), message, { itemIndex, description });
		// n8n replaces a message that contains an error code's name, and quoted input may contain one.
		error.message = message;
		return error;
	};

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

function found(wrong: Wrong, { displayName }: Labelled, given: unknown): NonNullable<unknown> {
	if (isGiven(given)) return given;
	const advice =
		'Check the expression: it finds nothing. If the field may be left out, remove it, or let the expression return an empty text.';
	throw wrong({ message: `${displayName} is empty`, advice });
}

/** The text that was entered, without surrounding spaces; undefined if it is empty. */
export function textIn(wrong: Wrong, { displayName }: Labelled, given: unknown) {
	const text = textOf(given);
	if (text !== undefined) return text.trim() || undefined;
	const advice = 'Check the expression: it returns an object or a list.';
	throw wrong({ message: `${displayName} is not text`, advice });
}

function requiredIn(
	wrong: Wrong,
	field: INodeProperties,
	given: unknown,
	itemIndex: number | undefined,
	moreAdvice: () => string,
): string {
	const text = textIn(wrong, field, given ?? '');
	if (text !== undefined) return text;
	const where = itemIndex === undefined ? '' : ` for item ${itemIndex + 1}`;
	const advice = `Enter the ${field.displayName}, or check that the expression returns a value${where}.`;
	const message = `${field.displayName} is empty`;
	throw wrong({ message, advice: `${advice}${moreAdvice()}` });
}

/** A number, or undefined if the field is not set. */
const optionalNumberIn = (wrong: Wrong, field: INodeProperties, given: unknown) =>
	String(given).trim() === '' ? undefined : numberIn(wrong, field, given);

function numberIn(wrong: Wrong, field: INodeProperties, given: unknown): number {
	const { displayName, typeOptions = {}, default: example } = field;
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = typeOptions;
	const isWhole = numberPrecision === 0;
	const number = parseNumber(given) ?? NaN;
	const isPrecise = !isWhole || Number.isSafeInteger(number);
	if (number >= minValue && number <= maxValue && isPrecise) return number;
	const range = maxValue < Infinity ? `from ${minValue} to ${maxValue}` : `of ${minValue} or more`;
	const kind = `a ${isWhole ? 'whole ' : ''}number ${range}`;
	const shown = typeof given === 'object' ? JSON.stringify(given) : String(given);
	const message = `${displayName} is not ${kind}: ${shown.slice(0, 50)}`;
	const advice = `Enter ${kind}, e.g. ${String(example)}, or remove the field.`;
	throw wrong({ message, advice });
}

/** Whether a switch is on. */
export function flagIn(wrong: Wrong, { displayName }: Labelled, given: unknown): boolean {
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	const advice = 'Switch it on or off, or use an expression that returns true or false.';
	throw wrong({ message: `${displayName} is not true or false`, advice });
}

function choiceIn(wrong: Wrong, { displayName, options }: INodeProperties, given: unknown): string {
	const choices = options as INodePropertyOptions[];
	if (choices.some((choice) => choice.value === given)) return String(given);
	const shown = JSON.stringify(given) ?? 'undefined';
	const known = choices.map((choice) => `${choice.value} (${choice.name})`).join(', ');
	const message = `${displayName} is not one of its choices: ${shown.slice(0, 50)}`;
	const advice = `Select one of them, or use an expression that returns one of: ${known}.`;
	throw wrong({ message, advice });
}

/** The entries of a list, at least one. */
export function listIn(
	wrong: Wrong,
	{ displayName }: Labelled,
	given: unknown,
	parse: typeof parseList,
	advice: string,
): string[] {
	const list = parse(given);
	if (list !== undefined && list.length > 0) return list;
	const what = list === undefined ? 'is not a list of texts' : 'is empty';
	throw wrong({ message: `${displayName} ${what}`, advice });
}
