import { randomUUID } from 'node:crypto';
import { outputOf, type Json, type WorkflowNode } from '../../sandbox/n8n/types.mts';
import { rest, service } from '../support/environment.mts';
import { succeeded } from '../support/executions.mts';
import { createWaiting } from '../support/waiting.mts';
import { node, splitNode } from '../support/workflows.mts';

// Lists as n8n's own nodes give them, through all of Create's choices, a Wait and the answers. Which
// columns Create finds, and what it refuses: test/engine.

const ada = { name: 'Ada', email: 'ada@example.com', class: '5a', phone: 41446681800 };
const ben = { name: 'Ben', email: 'ben@example.com', class: '5b', phone: 41446681801 };
const cleo = { name: 'Cleo', email: 'cleo@example.com', class: '5a', phone: 41446681802 };
const PEOPLE = [ada, ben, cleo];

type Person = typeof ada;

/** A list: what starts the workflow, the nodes that read it, and what is entered in Create. */
interface List {
	body: Json;
	read: () => WorkflowNode[] | Promise<WorkflowNode[]>;
	entered?: Json;
	hasPhones?: boolean;
}

const convert = (operation: string, more: Json) =>
	node('Convert', 'n8n-nodes-base.convertToFile', 1.1, { operation, options: {}, ...more });
const extract = (operation: string, options: Json) =>
	node('Extract', 'n8n-nodes-base.extractFromFile', 1.1, { operation, options });

const csv = [
	'\ufeffNAME,E-Mail,Class',
	...PEOPLE.map(({ name, email, class: group }) => `${name},${email},${group}`),
	',,',
	'',
	',,',
	'',
].join('\r\n');

/** n8n's node that reads a data table with these rows, of which one has nothing but nulls. */
async function tableNode(): Promise<WorkflowNode> {
	const { id: projectId } = await rest.send<Json>('GET', '/rest/projects/personal');
	const route = `/rest/projects/${String(projectId)}/data-tables`;
	const columns = ['name', 'email', 'class'].map((name) => ({ name, type: 'string' }));
	const table = await rest.send<Json>('POST', route, { name: randomUUID(), columns });
	const rows = PEOPLE.map(({ name, email, class: group }) => ({ name, email, class: group }));
	const blank = { name: null, email: null, class: null };
	await rest.send('POST', `${route}/${String(table.id)}/insert`, { data: [...rows, blank] });
	const dataTableId = { __rl: true, mode: 'id', value: table.id };
	const parameters = { resource: 'row', operation: 'get', dataTableId, returnAll: true };
	return node('Table', 'n8n-nodes-base.dataTable', 1.1, parameters);
}

test.each<[string, List]>([
	[
		'a CSV file of Excel, with a byte order mark, headings in capitals and blank lines',
		{
			body: { file: Buffer.from(csv).toString('base64') },
			read: () => [convert('toBinary', { sourceProperty: 'body.file' }), extract('csv', {})],
		},
	],
	[
		'an XLSX file with phone numbers that are numbers',
		{
			body: { rows: PEOPLE },
			read: () => [splitNode('body.rows'), convert('xlsx', {}), extract('xlsx', {})],
			entered: { personPhoneNumber: '={{ $json.phone }}' },
			hasPhones: true,
		},
	],
	['a data table with nulls', { body: {}, read: async () => [await tableNode()] }],
	[
		"records of n8n's Airtable node, of which one is empty",
		{
			body: {
				rows: [
					...PEOPLE.map(({ name, email, class: group }, index) => {
						const fields = { Name: name, Email: email, Class: [group] };
						return { id: `rec${index}`, createdTime: '2026-01-05T08:00:00.000Z', fields };
					}),
					{ id: 'rec9', createdTime: '2026-01-05T08:00:00.000Z', fields: {} },
				],
			},
			read: () => [splitNode('body.rows')],
		},
	],
])(
	'%s',
	async (title, { body, read, entered, hasPhones = false }) => {
		const reading = await read();
		const created = await createWaiting({
			name: `E2E sheets: ${title}`,
			follow: ({ create, wait }) => {
				const own = { ...create.parameters, participantsMode: 'items', ...entered };
				const ours = (name: string, parameters: Json, y = 0): WorkflowNode => {
					const ids = { id: randomUUID(), webhookId: randomUUID() };
					return { ...create, ...ids, name, parameters, position: [0, y] };
				};
				return [
					...reading,
					// n8n runs them from the top to the bottom of the canvas.
					ours('Person', { ...own, oneRequestFor: 'person' }, 0),
					ours('All', { ...own, oneRequestFor: 'all' }, 200),
					ours('Group', { ...own, oneRequestFor: 'group', groupBy: 'class' }, 400),
					node('Merge', 'n8n-nodes-base.merge', 3.2, { numberInputs: 3 }),
					wait,
					ours('Answers', { resource: 'share', operation: 'getAnswers', output: 'columns' }),
				];
			},
			paths: [
				['Webhook', ...reading.map(({ name }) => name), 'Person -> Merge'].join(' -> '),
				`${reading.at(-1)?.name} -> All -> 1/Merge -> Wait -> Answers`,
				`${reading.at(-1)?.name} -> Group -> 2/Merge`,
			],
		});
		const executionId = await created.start(body);
		const execution = await rest.getExecution(executionId);
		const outputs = ['Person', 'All', 'Group'].map((name) => outputOf(execution, name));
		const itemOf = ({ name, email, phone }: Person) => ({
			name,
			email,
			phoneNumber: hasPhones ? String(phone) : null,
		});
		expect(outputs).toMatchObject([
			PEOPLE.map(itemOf),
			PEOPLE.map(itemOf),
			[ada, cleo, ben].map((person) => ({ ...itemOf(person), group: person.class })),
		]);
		const forms = outputs.flatMap((items) => [...Map.groupBy(items, ({ requestId }) => requestId)]);
		const names = forms.map(([, items]) => items.map(({ name }) => name));
		expect(names).toEqual([
			['Ada'],
			['Ben'],
			['Cleo'],
			['Ada', 'Ben', 'Cleo'],
			['Ada', 'Cleo'],
			['Ben'],
		]);
		for (const [requestId, items] of forms) {
			const { request, guestLink } = service.stateOf(requestId);
			expect(request.participantList).toEqual(items.map(({ email }) => ({ email })));
			for (const item of items) service.submit(guestLink, item as Person & Json, String(item.name));
		}
		const answers = outputOf(await succeeded(executionId), 'Answers').map((columns) =>
			Object.entries(columns).flatMap(([label, text]) => (/address/.test(label) ? [text] : [])),
		);
		expect(answers).toEqual(names);
	},
	60_000,
);
