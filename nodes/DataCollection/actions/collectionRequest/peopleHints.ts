import { visible } from '../../basics/values';
import type { Run } from '../../requests/run';
import { emailKey, phoneKey } from '../../people/contact';
import { type Invited, personFields } from './personEntries';

const NOBODY_INVITED = 'No participant is invited: Participants is empty.';
const ONE_EACH = 'If each input item is one person, set Specify Participants to From Input Items.';
const NO_EMAIL =
	'A participant has no email, so an email node after this one will stop there. Enter an email, or let a Filter node pass on only the items that have one.';

/** The people of one collection request, and its input item. */
interface Invitation extends Pick<Invited, 'people'> {
	itemIndex: number;
}

/** Hints about what may be wrong with an invitation. */
export function hintAboutPeople(run: Run, invitation: Invitation, isPerParticipant: boolean): void {
	const { people } = invitation;
	if (people.length === 0) {
		const isOnly = run.context.getInputData().length === 1;
		run.hint(isOnly ? NOBODY_INVITED : `${NOBODY_INVITED} ${ONE_EACH}`);
	}
	hintMisnamed(run, invitation);
	if (isPerParticipant && people.some(({ email }) => !email)) run.hint(NO_EMAIL);
}

/**
 * A hint for an expression such as `$json.email` that finds nothing only because the name of the field
 * has something invisible in it: Excel puts U+FEFF before the first one of a CSV file.
 */
function hintMisnamed({ context, hint }: Run, { itemIndex, people }: Invitation): void {
	const names = Object.keys(context.getInputData()[itemIndex]?.json ?? {});
	for (const { name } of personFields) {
		const isMisnamed = names.some((one) => one !== name && visible(one) === name);
		if (!isMisnamed || people.every((person) => name in person)) continue;
		const reason =
			'in the input, the name of this field has a space or an invisible character. Rename it before this node, or drag it from the input into the parameter.';
		hint(`$json.${name} finds nothing`, { itemIndex, reason });
	}
}

const SEVERAL =
	'each of these items makes a collection request of its own. To make one of all input items, set Specify Participants to From Input Items.';

/** A hint for items that all invite the same group of people, as a list of all input items does. */
export function hintRepeatedGroups({ hint }: Run, invitations: Invitation[]): void {
	const itemsOf = new Map<string, number[]>();
	for (const { itemIndex, people } of invitations.filter((one) => one.people.length > 1)) {
		const keys = people.map(({ name, email, phoneNumber }) =>
			[emailKey(email), phoneKey(phoneNumber), email ? '' : name].join(),
		);
		const key = JSON.stringify(keys.sort());
		itemsOf.set(key, [...(itemsOf.get(key) ?? []), itemIndex]);
	}
	for (const items of [...itemsOf.values()].filter(({ length }) => length > 1)) {
		for (const itemIndex of items) {
			hint('The same people are invited', { itemIndex, reason: SEVERAL });
		}
	}
}

/** A hint for values of Group By that look like one, and are several. */
export function hintAlikeGroups(hint: Run['hint'], names: string[]): void {
	const known = new Map<string, string>();
	for (const name of names) {
		const key = name.replace(/\s+/g, ' ').toLowerCase();
		const other = known.get(key);
		if (other !== undefined) {
			hint(
				`Group By has "${other}" and "${name}", which differ only in case or spaces. Each has a collection request of its own.`,
			);
		}
		known.set(key, name);
	}
}
