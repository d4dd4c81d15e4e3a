// What docs/nodes.md promises of rows that go in: Creating, One list, Reading and reminding, Errors and
// retries. It shares no code with the package.

export interface Contact {
	name?: string;
	email?: string;
	phoneNumber?: string;
}

export interface Row extends Contact {
	group?: string;
	isAdmin?: boolean;
	templateId: string;
	minimum?: number;
	maximum?: number;
	/** How the service responds to the first creates with the other fields of this row; then with 201. */
	responses: number[];
	/** Whether what they have created is completed, and how its people join, in turn. */
	isCompleted: boolean;
	joining: Array<(typeof JOINING)[number]>;
}

export interface Sheet {
	rows: Row[];
	oneRequestFor: 'person' | 'all' | 'group';
	output: 'participants' | 'collectionRequest';
	/** Whether On Error is on Continue, and how often n8n runs the node: with Retry On Fail, twice. */
	continues: boolean;
	tries: number;
}

type Item = Row & { item: number };

interface Output extends Contact {
	requestId?: string;
	item?: number;
	error?: string;
}

export const JOINING = ['no', 'email', 'guest', 'other email', 'number', 'shared number'] as const;

/** Whoever joins a collection request of these people. */
export const accountsOf = (people: Contact[], joining: Row['joining']): Contact[] =>
	people.flatMap(({ email, phoneNumber }, index): Contact | Contact[] => {
		const how = joining[index % joining.length];
		if (how === 'email' && email) return { name: 'Anna', email: email.toUpperCase() };
		if (how === 'guest') return [{ email }, { name: 'Eve', email: 'eve@home.ch' }];
		if (how === 'other email') return { name: 'Anna', email: `${index}@home.ch`, phoneNumber };
		if (how === 'shared number') return ['Cleo', 'Dan'].map((name) => ({ name, phoneNumber }));
		return how === 'number' && phoneNumber ? { phoneNumber } : [];
	});

const isSame = (a = '', b = '') => a !== '' && a.toLowerCase() === b.toLowerCase();
const digitsOf = (phone?: string) => phone?.replaceAll(' ', '').replace(/^00/, '+');
const hasNumberOf = (a: Contact) => (b: Contact) =>
	isSame(digitsOf(a.phoneNumber), digitsOf(b.phoneNumber));
const hasEmailOf = (a: Contact) => (b: Contact) => isSame(a.email, b.email);

/**
 * Two entries with the same email are one person; or, if one has no email, with the same number and the
 * same name, or with no name in one of them. People are in the order of their first entries.
 */
export function peopleIn<T extends Contact>(entries: T[]): T[][] {
	const people: T[][] = [];
	const personOf = (entry: T) => {
		if (entry.email) return people.find((person) => person.some(hasEmailOf(entry)));
		const alike = people.filter((person) => person.some(hasNumberOf(entry)));
		if (!entry.name) return alike[0];
		const namesake = alike.find((person) => person.some(({ name }) => isSame(name, entry.name)));
		return namesake ?? alike.find((person) => !person.some(({ name }) => name));
	};
	const [withEmail, others] = [true, false].map((has) => entries.filter((a) => !a.email !== has));
	for (const entry of [...(withEmail ?? []), ...(others ?? [])]) {
		const person = personOf(entry);
		if (person) person.push(entry);
		else people.push([entry]);
	}
	const byPosition = (a?: T, b?: T) => entries.indexOf(a as T) - entries.indexOf(b as T);
	return people.map((person) => person.sort(byPosition)).sort(([a], [b]) => byPosition(a, b));
}

/** Each person is invited once, with the first value of each field, and as an admin if one entry says so. */
function inviteeOf(entries: Item[]) {
	const first = <K extends keyof Item>(field: K) => entries.find((entry) => entry[field])?.[field];
	const contact = { name: first('name'), email: first('email'), phoneNumber: first('phoneNumber') };
	return { ...contact, isAdmin: first('isAdmin') ?? false, item: entries[0]?.item };
}

/** A person without a group is an error, and so is what is no email or phone number. */
function wrongIn({ group, email, phoneNumber, item }: Item, isGrouped: boolean): string[] {
	if (isGrouped && !group) return [`Group By of item ${item + 1} is empty`];
	if (email === 'nobody') return [`Item ${item + 1} has no valid email: nobody`];
	return phoneNumber === 'none' ? [`Item ${item + 1} has no valid phone number: none`] : [];
}

/** What some rows create, or what is wrong with them. All other fields are those of the first row. */
function requestOf(rows: Item[], isGrouped: boolean) {
	const [first] = rows as [Item];
	const { templateId, minimum, maximum } = first;
	const people = peopleIn(rows).map(inviteeOf);
	const wrong = rows.flatMap((row) => wrongIn(row, isGrouped));
	const tooMany = `More people are invited (${people.length}) than Maximum Participants (${maximum}) allows`;
	const error =
		(rows.some((row) => row.templateId !== templateId) ? 'Template ID is not the same' : '') ||
		wrong.join('. ') ||
		(people.length > (maximum ?? Infinity) ? tooMany : '');
	const requestId = `row-${first.item}`;
	const body = {
		templateId,
		webhookIdentifier: requestId,
		// All who are invited are needed, unless it is set.
		minimumParticipants: minimum ?? people.length,
		maximumParticipants: maximum ?? Math.max(10, people.length),
		participantList: people.map((person) => ({ ...person, item: undefined })),
	};
	const about = { requestId, ...(isGrouped && { group: first.group }) };
	return { first, rows, people, body, about, error, times: 0, maySend: error === '' };
}

type Request = ReturnType<typeof requestOf>;

/** The rows of each group; a row without one is a group by itself. */
function groupsOf(items: Item[]): Item[][] {
	const groups = new Map<string | number, Item[]>();
	for (const row of items) {
		const key = row.group ?? row.item;
		groups.set(key, [...(groups.get(key) ?? []), row]);
	}
	return [...groups.values()];
}

/** The collection requests, in the order of their first rows. */
function requestsOf(items: Item[], oneRequestFor: Sheet['oneRequestFor']): Request[] {
	const isGrouped = oneRequestFor === 'group';
	const isWrong = (row: Item) => wrongIn(row, isGrouped).length > 0;
	const rows = {
		all: () => (items.length > 0 ? [items] : []),
		group: () => groupsOf(items),
		// Whose row it is that is wrong, nobody knows.
		person: () => [
			...peopleIn(items.filter((row) => !isWrong(row))),
			...items.filter(isWrong).map((row) => [row]),
		],
	}[oneRequestFor]();
	const requests = rows.map((those) => requestOf(those, isGrouped));
	return requests.sort((a, b) => a.first.item - b.first.item);
}

/** Sends a create again if nothing can have been created: at once after 429, and if n8n retries. */
function send(request: Request): void {
	const status = request.first.responses[request.times] ?? 201;
	request.times += 1;
	if (status === 429) return send(request);
	request.error = status === 201 ? '' : `HTTP ${status}`;
	request.maySend = status === 400;
}

/** An item for each person, linked to their first row; or if it has failed, for each row. */
function itemsOf({ first, rows, people, about, error }: Request, { output }: Sheet): Output[] {
	if (error) return rows.map(({ item }) => ({ item, error }));
	if (output === 'participants') return people.map((person) => ({ ...about, ...person }));
	return [{ ...about, ...(people.length === 1 && people[0]), item: first.item }];
}

/** On Stop, the first failure stops the node. With Retry On Fail, n8n looks at the first item only. */
function createAll(requests: Request[], sheet: Sheet): Output[] {
	const items = () => requests.flatMap((request) => itemsOf(request, sheet));
	for (let left = sheet.tries; left > 0; left -= 1) {
		for (const request of requests) {
			if (request.maySend) send(request);
			if (request.error && !sheet.continues) break;
		}
		if (sheet.continues && !items()[0]?.error) break;
	}
	return items();
}

/**
 * Who has not joined, or everybody if all have. Somebody who joined is the invited person by the rule of
 * Create, or if nobody else has the number. What the service leaves out is filled in if Create says it.
 */
function toRemind({ first, people, about }: Request, { output }: Sheet) {
	const accounts = accountsOf(people, first.joining);
	const isSaid = output === 'participants' || people.length === 1;
	const invited: Contact[] = people.map((person) => (isSaid ? person : { email: person.email }));
	const isNobodyElse = (account: Contact) =>
		[invited, accounts].every((list) => list.filter(hasNumberOf(account)).length === 1) &&
		!invited.some(hasEmailOf(account));
	const joined = accounts.map((account) => ({
		...(isNobodyElse(account) ? { phoneNumber: account.phoneNumber } : account),
		account,
	}));
	const everybody = peopleIn<Contact & { account?: Contact }>([...invited, ...joined]).map(
		(entries) => {
			const [{ name, email, phoneNumber } = {}] = entries;
			const account = entries.find((entry) => entry.account)?.account;
			return { ...about, name, email, phoneNumber, ...account, hasJoined: account !== undefined };
		},
	);
	const missing = everybody.filter(({ hasJoined }) => !hasJoined);
	return missing.length > 0 ? missing : everybody;
}

/** Whose the answers are: if exactly one person was invited. */
function answersOf({ requestId, ...about }: Request['about'], people: Contact[], items: Output[]) {
	const { name, email, phoneNumber } = (people.length === 1 && people[0]) || {};
	const item = items.findIndex((created) => created.requestId === requestId);
	return { requestId, Size: requestId, ...about, name, email, phoneNumber, item };
}

const inWords = (list: number[]) => list.join(', ').replace(/, (\d+)$/, ' and $1');

/** What is refused as a whole: on Stop, also all rows that are wrong, before anything is created. */
function refusalOf(items: Item[], requests: Request[], { oneRequestFor, continues }: Sheet) {
	const isGrouped = oneRequestFor === 'group';
	if (isGrouped && !items.some(({ group }) => group)) return 'Group By finds nothing';
	if (requests.length === 0) return 'No input item has a name, an email or a phone number';
	const wrong = items.flatMap((row) => (isBlank(row) ? [] : wrongIn(row, isGrouped)));
	if (wrong.length > 0 && !continues) return wrong.join('. ');
	return continues ? undefined : requests.find(({ error }) => error)?.error;
}

/** A row with nobody in it is left out. */
const isBlank = ({ name, email, phoneNumber }: Row) => !name && !email && !phoneNumber;

export function outcomeOf(sheet: Sheet) {
	const all = sheet.rows.map((row, item) => ({ ...row, item }));
	const requests = requestsOf(
		all.filter((row) => !isBlank(row)),
		sheet.oneRequestFor,
	);
	const leftOut = inWords(all.flatMap((row) => (isBlank(row) ? row.item + 1 : [])));
	const nothing = { items: [], sent: [], answers: [], reminded: [], completed: [], leftOut: '' };
	const refusal = refusalOf(all, requests, sheet);
	if (refusal && !sheet.continues) return { ...nothing, error: refusal };
	if (refusal) return { ...nothing, items: all.map(({ item }) => ({ item, error: refusal })) };
	const items = createAll(requests, sheet);
	const sent = requests.flatMap(({ body, times }) => (times > 0 ? [{ ...body, times }] : []));
	const created = requests.filter(({ times, error }) => times > 0 && !error);
	const ids = created.map(({ about }) => about.requestId);
	const error = requests.find((request) => request.error)?.error;
	if (error && !sheet.continues) return { ...nothing, error, sent };
	const open = created.filter(({ first }) => !first.isCompleted);
	const reminded = open.flatMap((request) => toRemind(request, sheet));
	const answers = created.map(({ about, people }) => answersOf(about, people, items));
	const completed = open.length > 0 ? [] : ids;
	return { items, sent, answers, reminded, completed, leftOut };
}
