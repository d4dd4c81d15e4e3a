import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { by, json, type Received } from './support/faultServer.mts';
import { runFlow } from './support/flow.mts';
import {
	accountsOf,
	JOINING,
	outcomeOf,
	type Contact,
	type Row,
	type Sheet,
} from './support/sheetModel.mts';
import { LIMIT, replay } from '../support/random.mts';

// Create from random sheets, and Get Answers and Get People to Remind behind it: what the service gets
// and what comes out is what sheetModel.mts says, however situations combine.

const cell = <T,>(...values: T[]) => fc.constantFrom(...values);
const inTurn = <T,>(...values: T[]) => fc.array(cell(...values), { minLength: 1, maxLength: 3 });
const mostly = <T,>(usual: fc.Arbitrary<T>, weight: number, ...rare: T[]) =>
	fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: cell(...rare) });
type Text = string | undefined;

const person = fc.record({
	name: cell<Text>('Ada', 'Ben', undefined),
	email: mostly(cell<Text>('ada@x.ch', 'ADA@x.ch', 'ben@x.ch', undefined, undefined), 20, 'nobody'),
	phoneNumber: mostly(
		cell<Text>('+41 44 668 18 00', '0041446681800', '+41 79 123 45 67', undefined),
		20,
		'none',
	),
});
const others = fc.record<Omit<Row, keyof Contact>>({
	group: mostly(cell<Text>('3a', 'true'), 12, undefined),
	isAdmin: cell(true, false, undefined),
	templateId: mostly(cell('t1'), 20, 't2'),
	minimum: mostly(cell<number | undefined>(undefined), 3, 1, 2),
	maximum: mostly(cell<number | undefined>(undefined), 3, 2, 15),
	responses: mostly(cell<Row['responses']>([]), 4, [429], [400], [400, 400], [500]),
	isCompleted: cell(false, false, true),
	joining: inTurn(...JOINING, 'no', 'other email'),
});
const row = fc
	.tuple(mostly<Contact>(person, 6, {}), others)
	.map(([contact, fields]): Row => ({ ...contact, ...fields }));
const sheets = fc.record<Sheet>({
	rows: fc.array(row, { minLength: 1, maxLength: 8, size: 'max' }),
	oneRequestFor: cell('person', 'all', 'group', 'group'),
	output: cell('participants', 'participants', 'collectionRequest'),
	continues: cell(false, true, true),
	tries: cell(1, 2),
});

/** How rows are written, some of them in turn. It changes nothing of what they say. */
const writings = fc.record({
	headings: cell(['name', 'email'], ['Full Name', 'E-Mail'], ['NAME', 'EMAIL']),
	blanks: inTurn('', ' ', null, undefined),
	isRecord: inTurn(true, false, false),
	/** Whether a name, or another one, stands before the address. */
	mailboxes: inTurn('name', 'other', '', ''),
	isPhoneSent: mostly(cell(true), 3, false),
});
type Writing = typeof writings extends fc.Arbitrary<infer T> ? T : never;

const at = <T,>(list: T[], index: number) => list[index % list.length] as T;

/** The rows as n8n's nodes for sheets, databases and Airtable give them. */
const written = ({ rows }: Sheet, writing: Writing): IDataObject[] =>
	rows.map(({ name, email, phoneNumber, group, ...row }, index) => {
		const mailbox = name?.startsWith('A') && email?.includes('@') && at(writing.mailboxes, index);
		const [nameHeading = '', emailHeading = ''] = writing.headings;
		const cells: Array<[column: string, cell: Text | true]> = [
			['Mail', undefined],
			[nameHeading, mailbox === 'name' ? undefined : name],
			[emailHeading, mailbox ? `${mailbox === 'name' ? name : 'Somebody'} <${email}>` : email],
			['phone', writing.isPhoneSent ? phoneNumber : '+41 31 000 00 00'],
			['class', group === 'true' || group],
		];
		// The first row has all columns.
		const blank = at(writing.blanks, index) ?? (index === 0 ? '' : at(writing.blanks, index));
		const columns = Object.fromEntries(cells.map(([column, text]) => [column, text || blank]));
		const { isAdmin, templateId, minimum, maximum } = row;
		const more = { isAdmin, templateId, minimum, maximum };
		return at(writing.isRecord, index) ? { fields: columns, ...more } : { ...columns, ...more };
	});

interface Body extends IDataObject {
	webhookIdentifier: string;
	participantList: Array<Contact & { isAdmin?: boolean }>;
}

/** The service. It names what is created after the webhook identifier, and knows emails only. */
function serviceFor({ rows }: Sheet) {
	const received = new Map<string, Body & { times: number }>();
	const rowOf = (id: string) => rows[Number(id.replace('row-', ''))] as Row;
	const create = ({ body: text }: Received) => {
		const body = JSON.parse(text) as Body;
		const id = body.webhookIdentifier;
		const { times } = received.get(id) ?? { times: 0 };
		received.set(id, { ...body, times: times + 1 });
		return json(rowOf(id).responses[times] ?? 201, { _id: id }, { 'retry-after': '1' });
	};
	const answer = by((request) => {
		if (request.method === 'POST') return create(request);
		const [, , resource, _id = ''] = request.url.split('/');
		const id = _id.replace('share-', '');
		const { participantList: people = [] } = received.get(id) ?? {};
		const { isCompleted, joining } = rowOf(id);
		const shareStatus = isCompleted ? 'completed' : 'open';
		const participantList = people.map(({ email = '' }) => ({ email }));
		const participants = accountsOf(people, joining).map((accountSnapshot) => ({
			accountSnapshot,
		}));
		const otherFields = [{ label: 'Size', value: id }];
		return resource === 'share'
			? json(200, { _id, collectionRequestId: id, participants, otherFields })
			: json(200, { _id, shareId: `share-${id}`, shareStatus, participantList });
	});
	return { answer, received };
}

const createNode = (sheet: Sheet, { isPhoneSent }: Writing) => ({
	operation: 'create',
	templateId: '={{ $json.templateId }}',
	participantsMode: 'items',
	oneRequestFor: sheet.oneRequestFor,
	groupBy: 'class',
	output: sheet.output,
	personPhoneNumber: isPhoneSent ? 'phone' : '',
	additionalFields: {
		webhookIdentifier: '=row-{{ $itemIndex }}',
		isAdmin: '={{ $json.isAdmin }}',
		minimumParticipants: '={{ $json.minimum }}',
		maximumParticipants: '={{ $json.maximum }}',
	},
	options: { concurrency: sheet.continues ? 5 : 1 },
});

/** Without the details that the model leaves out. */
const shortened = (message: unknown = '') =>
	String(message)
		.replace(/^(Template ID is not the same|Group By finds nothing).*/, '$1')
		.replace(/^.*\((HTTP \d+)\).*/, '$1');

/** Only these fields, of which null is nothing. */
const only = (fields: IDataObject, ...names: string[]) =>
	Object.fromEntries(names.map((name) => [name, fields[name] ?? undefined]));
const CONTACT = ['name', 'email', 'phoneNumber'];

/** What comes of a sheet, as the model says it. */
async function run(sheet: Sheet, writing: Writing): Promise<object> {
	const { answer, received } = serviceFor(sheet);
	const onError = sheet.continues ? ('continueRegularOutput' as const) : undefined;
	const retry = { retryOnFail: sheet.tries > 1, maxTries: sheet.tries, waitBetweenTries: 1 };
	const { error, runData } = await runFlow({
		nodes: {
			Create: createNode(sheet, writing),
			Answers: { resource: 'share', operation: 'getAnswers' },
			Remind: { operation: 'getPeopleToRemind' },
		},
		edges: ['Trigger -> Rows -> Create -> Answers', 'Create -> Remind'],
		pinData: { Rows: written(sheet, writing).map((fields) => ({ json: fields })) },
		settings: { Create: { onError, ...retry }, Answers: { onError }, Remind: { onError } },
		answer,
	});
	const outputOf = (name: string, output = 0) =>
		(runData[name]?.[0]?.data?.main?.[output] ?? []).map(
			({ json: fields, pairedItem }): IDataObject => ({ ...fields, ...(pairedItem as object) }),
		);
	const readBy = (name: string, output?: number) =>
		outputOf(name, output).filter((item) => item.error === undefined);
	const leftOut = (runData.Create?.[0]?.hints ?? [])
		.map(({ message }) => /^Nobody is invited for items? (.*):/.exec(message)?.[1])
		.join('');
	const bodies = [...received.values()].map(({ participantList, ...body }) => ({
		...body,
		participantList: participantList.map((invited) => ({ isAdmin: false, ...invited })),
	}));
	return {
		items: outputOf('Create').map((item) =>
			item.error === undefined
				? only(item, 'requestId', 'group', ...CONTACT, 'isAdmin', 'item')
				: { error: shortened(item.error), item: item.item },
		),
		sent: bodies.sort((a, b) => (a.webhookIdentifier < b.webhookIdentifier ? -1 : 1)),
		answers: readBy('Answers').map((item) =>
			only(item, 'requestId', 'Size', 'group', ...CONTACT, 'item'),
		),
		reminded: readBy('Remind').map((item) =>
			only(item, 'requestId', 'group', ...CONTACT, 'hasJoined'),
		),
		completed: readBy('Remind', 1).map(({ requestId }) => requestId),
		...(error && { error: shortened(error.message) }),
		leftOut: error ? '' : leftOut,
	};
}

test(
	'what the service gets and what comes out is what the model says',
	async () => {
		const property = fc.asyncProperty(sheets, writings, async (given, writing) => {
			const withoutNumbers = given.rows.map((row) => ({ ...row, phoneNumber: undefined }));
			const sheet = writing.isPhoneSent ? given : { ...given, rows: withoutNumbers };
			expect(await run(sheet, writing)).toEqual(outcomeOf(sheet));
		});
		await fc.assert(property, { numRuns: 90, seed: 1, ...replay });
	},
	LIMIT,
);
