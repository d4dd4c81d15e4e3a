import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { formUrl, readExample, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type Execution, type Json } from '../../sandbox/n8n/types.mts';
import { n8nFolder } from '../../sandbox/shared/paths.mts';
import { until } from '../../sandbox/shared/until.mts';
import { payload, signed } from '../support/delivery.mts';
import { n8nUrl, rest, userFolder } from '../support/environment.mts';
import { fields, linesOf, openBench, refusing } from '../support/examples.mts';
import {
	runFrom,
	shortly,
	startsOf,
	together,
	withText,
	type Change,
} from '../support/examples.mts';
import { newestExecution, startByWebhook, succeeded, waits } from '../support/executions.mts';
import { waitTracker } from '../support/executions.mts';
import { bothAnswer, person } from '../support/people.mts';
import { send } from '../support/send.mts';
import { chain, node, splitNode, webhookNode } from '../support/workflows.mts';
import { limits } from './limits.mts';
import { missed } from './missed.mts';
import { threeOffices } from './reminders.mts';

// Each example runs to its end: here, or in the other files of its kind. All that waits for time limits is
// here, so that it waits at the same time.

type Bench = Awaited<ReturnType<typeof openBench>>;

/** Who has got emails, and the subjects and lists in those to the office. */
function emailsOf({ mails }: Bench) {
	const all = mails();
	const people = all.map(({ to }) => String(to[0]).replace('@example.com', ''));
	const toOffice = all.filter((_, index) => people[index] === 'office');
	const lists = (lines: string[]) => lines.filter((line) => line.startsWith('- '));
	return {
		people: people.filter((name) => name !== 'office').join(' '),
		office: toOffice.flatMap((mail) => [mail.subject, ...lists(linesOf(mail))]),
	};
}

/** Each answers by the link of their own email, or else by that in the office's. */
function answerAll(bench: Bench, names: string[]): void {
	for (const name of names) {
		const { email } = person(name);
		const [mail] = [...bench.mails(email), ...bench.mails('office@example.com')];
		bench.service.submit(mail?.links[0], person(name), `Address of ${name}`);
	}
}

interface Emailed {
	change?: Change;
	/** Who answers once the workflow waits, in this order. */
	answers?: string[];
	/** What to compare besides the emails. */
	read: (execution: Execution, bench: Bench) => object;
}

/** Runs an example that emails people and ends by itself. */
const emailed =
	(example: string, { change, answers = [], read }: Emailed) =>
	async (title: string) => {
		const run = await startsOf(example)(title, change);
		if (answers.length > 0) await run.waits();
		answerAll(run, answers);
		const execution = await run.ended();
		return { ...emailsOf(run), ...read(execution, run) };
	};

const addressesIn = (execution: Execution) =>
	outputOf(execution, 'Collect the answers').flatMap(({ label, value }) =>
		label === 'Delivery address' ? [value] : [],
	);
const offersIn = (execution: Execution) => ({
	offers: outputOf(execution, 'Read the answers').map(
		({ answers }) => (answers as Json)['Delivery address'],
	),
});

/** The sheet in the Excel file that a node has made, read with n8n's own library. */
function sheetIn({ data }: Execution, node: string) {
	type Binary = { binary: { data: { id: string } } };
	const [made] = data.resultData.runData[node]?.[0]?.data?.main?.[0] ?? [];
	const stored = path.basename((made as unknown as Binary).binary.data.id);
	const folder = path.join(userFolder, '.n8n');
	const [file = ''] = globSync(`**/${stored}`, { cwd: folder });
	type Cells = Record<string, { f?: string }>;
	const xlsx = createRequire(path.join(n8nFolder, 'package.json'))('@e965/xlsx') as {
		read: (file: Buffer) => { Sheets: { Answers: Cells } };
		utils: { sheet_to_json: (cells: Cells) => Json[] };
	};
	const cells = xlsx.read(readFileSync(path.join(folder, file))).Sheets.Answers;
	return { cells: Object.values(cells), rows: xlsx.utils.sheet_to_json(cells) };
}

function formulasIn(execution: Execution, node: string): string[] {
	const { cells } = sheetIn(execution, node);
	expect(cells.length).toBeGreaterThan(9);
	return cells.flatMap(({ f }) => f ?? []);
}

/** The list is a data table; one person gets no email, but the link from Create's output. */
async function listToTable(title: string) {
	const name = `People ${randomUUID()}`;
	const { id: project } = await rest.send<Json>('GET', '/rest/projects/personal');
	const tables = `/rest/projects/${String(project)}/data-tables`;
	const columns = ['name', 'email', 'team'].map((column) => ({ name: column, type: 'string' }));
	const { id } = await rest.send<Json>('POST', tables, { name, columns });
	const data = ['ada', 'ben', 'cleo'].map((one) => ({ ...person(one), team: 'North' }));
	await rest.send('POST', `${tables}/${String(id)}/insert`, { data });
	const run = await startsOf('list-to-table')(title, (file) =>
		refusing('ben')(withText(file, '"value":"People"', `"value":"${name}"`)),
	);
	await run.waits();
	const waiting = await rest.getExecution(run.executionId);
	const [, ben] = outputOf(waiting, 'Create a request for each');
	run.service.submit(ben?.guestLink, person('ben'), 'Address of ben');
	answerAll(run, ['cleo', 'ada']);
	const { rows } = sheetIn(await run.ended(), 'Make an Excel file');
	return {
		...emailsOf(run),
		rows: rows.map((row) => [row.name, row.email, row['Delivery address']].join(' | ')),
		columns: Object.keys(rows[0] ?? {}),
	};
}

/** A form starts the first; the completed collection request starts the second. */
async function formToRows() {
	const bench = await openBench('form');
	const rows = await bench.load('completed-to-rows');
	const webhookUrl = triggerUrl(n8nUrl, rows);
	const form = await bench.load('form-to-email', refusing('ben'), webhookUrl);
	const people = ['Ada', 'ada@example.com', 'Ben', 'ben@example.com', '', 'cleo@example.com'];
	const body = fields(['Büro', 'Mara', ...people]);
	const response = await fetch(String(formUrl(n8nUrl, form)), { method: 'POST', body });
	assert.equal(response.status, 200);
	const link = await bench.linkTo('ada@example.com');
	bench.service.submit(link, person('ada'), '=HYPERLINK("http://evil.example")');
	answerAll(bench, ['ben', 'cleo']);
	const execution = await newestExecution(rows.id);
	const { pinData } = await readExample('completed-to-rows');
	for (const [name, [sample]] of Object.entries(pinData as Record<string, [{ json: Json }]>)) {
		expect(Object.keys(sample.json)).toEqual(Object.keys(outputOf(execution, name)[0] ?? {}));
	}
	const added = outputOf(execution, 'Put the rows into the table');
	// The notification comes again: its rows are the same ones.
	const requestId = added[0]?.request_id;
	const again = signed({ secret: bench.secret, body: payload({ requestId }) });
	expect(await send(webhookUrl, again)).toMatch(/^200 /);
	const repeated = outputOf(await newestExecution(rows.id, 2), 'Put the rows into the table');
	expect(repeated.map(({ id }) => id)).toEqual(added.map(({ id }) => id));
	return {
		...emailsOf(bench),
		greeting: linesOf(await bench.mailTo('cleo@example.com'))[0],
		rows: added.flatMap(({ topic, position, question, answer }) =>
			answer === '' ? [] : [[topic, position, question, answer].join(' | ')],
		),
		formulas: formulasIn(execution, 'Put the rows into a spreadsheet'),
	};
}

/** Rows are added between the first run, which makes the table, and the second. */
async function spreadsheet() {
	const bench = await openBench('spreadsheet');
	const name = `People ${randomUUID()}`;
	const workflow = await bench.load('spreadsheet-round-trip', (file) =>
		refusing('cleo')(withText(file, 'People to ask', name)),
	);
	await runFrom(workflow);
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const found = await rest.send<Json>('GET', `/rest/data-tables-global?filter=${filter}`);
	const [table, ...others] = found.data as Json[];
	expect(others).toEqual([]);
	const route = `/rest/projects/${String(table?.projectId)}/data-tables/${String(table?.id)}`;
	const insert = (data: Json[]) => rest.send('POST', `${route}/insert`, { data });
	const ask = (one: string) => ({ ...person(one), status: 'ask' });
	await insert([...['ada', 'ben', 'cleo'].map(ask), { ...ask('dan'), email: 'dan at home' }]);
	await insert([{ ...person('eva'), status: 'later' }]);
	await runFrom(workflow);
	answerAll(bench, ['ada']);
	await runFrom(workflow);
	const { data: rows } = await rest.send<{ data: Json[] }>('GET', `${route}/rows?sortBy=id:asc`);
	return {
		...emailsOf(bench),
		rows: rows.map(({ name: who, status, answers, problem, request_id: id }) =>
			[who, status, answers || '-', problem || '-', Boolean(id)].join(' | '),
		),
	};
}

/** Another workflow calls it with all of its items. */
async function subWorkflow() {
	const bench = await openBench('sub-workflow');
	const change: Change = (file) => refusing('cleo')(shortly('Wait for all')(file));
	const called = await publish(rest, await bench.load('ask-people-subworkflow', change));
	const ids = ['name', 'email', 'topic'];
	const call = node('Ask them', 'n8n-nodes-base.executeWorkflow', 1.2, {
		workflowId: { __rl: true, mode: 'id', value: called.id },
		workflowInputs: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(ids.map((id) => [id, `={{ $json.${id} }}`])),
			schema: ids.map((id) => ({ id, displayName: id, type: 'string' })),
		},
		options: {},
	});
	const begin = webhookNode();
	const caller = chain('E2E caller', [begin, splitNode('body.people'), call]);
	const { id } = await publish(rest, await rest.createWorkflow(caller));
	const people = ['ada', 'ben', 'cleo'].map((name) => ({ ...person(name), topic: 'Team day' }));
	const executionId = await startByWebhook(id, begin, { people });
	await waits(executionId);
	answerAll(bench, ['ada']);
	const returned = outputOf(await succeeded(executionId, waitTracker), call.name);
	return {
		...emailsOf(bench),
		returned: returned.map(({ name, status, answers, emailError }) =>
			[name, status, (answers as Json)['Delivery address'] ?? '-', emailError || '-'].join(' | '),
		),
	};
}

/** As in the browser: a form, a page with the guest link, and a page with the answers. */
async function firstFlow() {
	const bench = await openBench('first-flow');
	const workflow = await bench.load('first-flow');
	const body = fields(['Team day']);
	const response = await fetch(String(formUrl(n8nUrl, workflow)), { method: 'POST', body });
	const { formWaitingUrl: url } = (await response.json()) as { formWaitingUrl: string };
	/** Waits until the execution waits for the page, or for something else. */
	const waitsAs = async (status: string) => {
		const asked = url.replace('?', '/n8n-execution-status?');
		await until(status, async () => (await (await fetch(asked)).text()) === status);
	};
	await waitsAs('form-waiting');
	const page = await (await fetch(url)).text();
	await fetch(url, { method: 'POST', body: fields([]) });
	await waitsAs('waiting');
	bothAnswer(/href="(\S+?\/request\/\w+)"/.exec(page)?.[1], '', bench.service);
	await waitsAs('form-waiting');
	const last = await (await fetch(url)).text();
	// The page does so when it is shown.
	await fetch(url, { method: 'POST', body: fields([]) });
	const { status } = await newestExecution(workflow.id);
	return { status, answers: [...(last.match(/Delivery address: \w+ \w+/g) ?? [])] };
}

/** By the example and what happens: what runs it to its end, and what must be true then. */
const table: Record<string, [(title: string) => Promise<object>, object]> = {
	'first-flow': [
		firstFlow,
		{
			status: 'success',
			answers: ['Delivery address: Ada Example', 'Delivery address: Ben Example'],
		},
	],
	'list-to-table: all answer, and one address is refused': [
		listToTable,
		{
			people: 'ada cleo',
			office: [],
			rows: ['ada', 'ben', 'cleo'].map(
				(name) => `${person(name).name} | ${name}@example.com | Address of ${name}`,
			),
			columns: ['name', 'email', 'Delivery address', 'Remarks'],
		},
	],
	'form-to-email and completed-to-rows: one address is refused': [
		formToRows,
		{
			people: 'ada cleo',
			office: ['Büro: somebody got no email', '- ben@example.com: No recipients defined'],
			greeting: 'Hello cleo@example.com,',
			rows: [
				'Büro | 1 | Delivery address | =HYPERLINK("http://evil.example")',
				'Büro | 3 | Delivery address | Address of ben',
				'Büro | 5 | Delivery address | Address of cleo',
			],
			formulas: [],
		},
	],
	'csv-bulk: one of four projects is wrong, and one address is refused': [
		emailed('csv-bulk', {
			change: refusing('ben'),
			read: (_, { service }) => ({
				invited: service.calls
					.filter(({ method }) => method === 'POST')
					.map(({ body }) => (body.participantList as Json[]).map(({ name }) => name).join(', ')),
			}),
		}),
		{
			people: 'ada cleo dan ada gil',
			office: [
				'The list: somebody got no email',
				'- ben@example.com: No recipients defined',
				'The list: not all projects could be used',
				'- Car pool: Item 7 has no valid email: finn at example.com. Enter an address like nathan@example.com, or leave the email empty.',
			],
			invited: [
				'Ada Example, Ben Example',
				'Cleo Example, Dan Example, Ada Example',
				'Gil Example',
			],
		},
	],
	'invite-remind-collect: all answer': [
		emailed('invite-remind-collect', {
			answers: ['ada', 'ben', 'cleo'],
			read: (execution) => ({ addresses: addressesIn(execution) }),
		}),
		{
			people: 'ada ben cleo',
			office: [],
			addresses: ['ada', 'ben', 'cleo'].map((name) => `Address of ${name}`),
		},
	],
	'many-at-once: all answer': [
		emailed('many-at-once', { answers: ['eva', 'cleo', 'ada', 'ben', 'dan'], read: offersIn }),
		{
			people: 'ada ben cleo dan eva',
			office: ['5 offers have arrived'],
			offers: ['ada', 'ben', 'cleo', 'dan', 'eva'].map((name) => `Address of ${name}`),
		},
	],
	'many-at-once: two answer in time, and one address is refused': [
		emailed('many-at-once', {
			change: (file) => refusing('cleo')(shortly('Wait for all')(file)),
			answers: ['ada', 'eva'],
			read: offersIn,
		}),
		{
			people: 'ada ben dan eva',
			office: [
				'Offers: somebody got no email',
				'- cleo@example.com: No recipients defined',
				'2 offers have arrived',
				'3 offers are missing',
				'- Ben Example',
				'- Cleo Example',
				'- Dan Example',
			],
			offers: ['Address of ada', 'Address of eva'],
		},
	],
	'no-public-address: both answer, and one address is refused': [
		emailed('no-public-address', {
			change: (file) => refusing('ben')(shortly('Look, and wait a little')(file)),
			answers: ['ada', 'ben'],
			read: (execution, { service }) => ({
				sent: service.calls.flatMap(({ body }) =>
					Object.keys(body).filter((name) => /^webhook/.test(name)),
				),
				addresses: addressesIn(execution),
			}),
		}),
		{
			people: 'ada',
			office: ['Team day: somebody got no email', '- ben@example.com: No recipients defined'],
			sent: [],
			addresses: ['Address of ada', 'Address of ben'],
		},
	],
	'no-public-address: it gives up': [
		emailed('no-public-address', {
			change: (file) =>
				withText(shortly('Look, and wait a little')(file), '$runIndex >= 1000', '$runIndex >= 0'),
			read: (execution) => ({ addresses: addressesIn(execution) }),
		}),
		{
			people: 'ada ben',
			office: ['The form about the team day is not complete'],
			addresses: [],
		},
	],
	'spreadsheet-round-trip: one answers, one address is refused, and one is none': [
		spreadsheet,
		{
			people: 'ada ben',
			office: [],
			rows: [
				'Ada Example | completed | Delivery address: Address of ada\nRemarks:  | - | true',
				'Ben Example | open | - | - | true',
				'Cleo Example | no email | - | No recipients defined | true',
				'Dan Example | not asked | - | Item 4 has no valid email: dan at home. Enter an address like nathan@example.com, or leave the email empty. | false',
				'Eva Example | later | - | - | false',
			],
		},
	],
	'ask-people-subworkflow: one answers in time, and one address is refused': [
		subWorkflow,
		{
			people: 'ada ben',
			office: [],
			returned: [
				'Ada Example | completed | Address of ada | -',
				'Ben Example | open | - | -',
				'Cleo Example | open | - | No recipients defined',
			],
		},
	],
};

const tests = Object.entries(table).map(([title, [run, end]]) => {
	return [title, async () => expect(await run(title)).toEqual(end)] as const;
});
together({
	'invite-remind-collect: one of three offices gets no email, the others are reminded':
		threeOffices,
	...limits,
	...missed,
	...Object.fromEntries(tests),
});
