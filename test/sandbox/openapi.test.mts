import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { apiDocument } from '../../sandbox/service/apiDocument.mts';
import { section, tableRows, textFile } from '../support/markdown.mts';
import { isObject, startReceiver, useService, type Json } from './client.mts';

const service = useService();
const FILE = 'docs/service-api.openapi.json';
const kept = JSON.parse(textFile(FILE)) as Json;
const validator = new Ajv2020({ strict: false, allErrors: true });
formats.default(validator);
validator.addSchema(kept, 'api');

/** Fails unless a value is what the document says of this schema. */
function expectValid(value: unknown, schema: string): void {
	const validate = validator.getSchema(`api#/components/schemas/${schema}`);
	if (!validate) throw new Error(`There is no schema ${schema}`);
	expect(validate(value) === true || validate.errors).toBe(true);
}

test('the file is what the sandbox says of the service', async () => {
	const made = apiDocument((await service.ask('/docs/json')).json);
	const advice = `Write ${FILE} anew: npx node sandbox/service/apiDocument.mts`;
	expect(JSON.stringify(made) === JSON.stringify(kept) || advice).toBe(true);
});

test('it has the service and nothing of the sandbox', () => {
	const paths = ['/di/collection-request/', '/di/collection-request/{id}', '/di/share/{id}'];
	expect(Object.keys(kept.paths as Json)).toEqual(paths);
	expect(textFile(FILE)).not.toMatch(/sandbox|own choice|localhost|127\.0\.0\.1/i);
});

test('it says of what is unknown that it is, and of nothing else', () => {
	const wrong: unknown[] = [];
	const look = (node: unknown) => {
		if (!isObject(node)) return;
		const { description } = node;
		const says = typeof description === 'string' && /\bunknown\b/i.test(description);
		if (says !== (node['x-unknown'] ?? false)) wrong.push(node);
		Object.values(node).forEach(look);
	};
	look(kept);
	expect(wrong).toEqual([]);
});

test.each([
	['CollectionRequest', 'Collection request'],
	['Share', 'Share'],
	['Participant', 'Participant'],
	['OtherField', 'Answer'],
	['UpdateLog', 'Update log'],
	['CreateCollectionRequestDto', 'Create body'],
	['ParticipantDetails', 'Invited participant'],
	['Notification', 'Payload'],
])('%s has the fields that docs/service-api.md lists under %s', (schema, heading) => {
	const [own = ''] = section(textFile('docs/service-api.md'), heading).split('\n### ');
	const documented = tableRows(own).map(([field = '']) => field.slice(1, -1));
	const { schemas } = kept.components as { schemas: Record<string, { properties: Json }> };
	expect(Object.keys(schemas[schema]?.properties ?? {}).sort()).toEqual(documented.sort());
});

test('what the sandbox answers and sends is what the document says', async () => {
	const receiver = await startReceiver({ status: 200 });
	const participantList = [{ email: 'ann@example.com', isAdmin: true }, { name: 'No email' }];
	const fields = { minimumParticipants: 2, participantList, ...receiver.webhook };
	const id = await service.newRequest(fields);
	for (const email of ['ann@example.com', 'ben@example.com']) {
		await service.submit(id, email);
		const request = await service.readRequest(id);
		expectValid(request, 'CollectionRequest');
		expectValid((await service.read(`share/${String(request.shareId)}`)).json, 'Share');
	}
	for (const { body } of await receiver.take(2)) {
		expectValid(JSON.parse(body.toString()), 'Notification');
	}
});
