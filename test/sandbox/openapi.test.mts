import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { section, tableRows, textFile } from '../support/markdown.mts';
import { useReceiver, useService, type Json } from './client.mts';

const service = useService();
const receiver = useReceiver();
const document = JSON.parse(textFile('docs/service-api.openapi.json')) as Json;
const { schemas } = document.components as { schemas: Record<string, { properties: Json }> };
const fieldsOf = (schema: string) => Object.keys(schemas[schema]?.properties ?? {});
const validator = new Ajv2020({ strict: false, allErrors: true });
formats.default(validator);
validator.addSchema(document, 'api');

/** Fails unless a value is what the document says of this schema, without further fields. */
function expectValid(value: Json, schema: string): void {
	const validate = validator.getSchema(`api#/components/schemas/${schema}`);
	if (!validate) throw new Error(`There is no schema ${schema}`);
	const isValid = validate(value);
	expect({ isValid, errors: validate.errors }).toEqual({ isValid: true, errors: null });
	expect(Object.keys(value).filter((field) => !fieldsOf(schema).includes(field))).toEqual([]);
}

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
	expect(fieldsOf(schema).sort()).toEqual(documented.sort());
});

test('what the sandbox answers and sends is what the document says', async () => {
	const participantList = [{ email: 'ann@example.com', isAdmin: true }, { name: 'No email' }];
	const fields = { minimumParticipants: 2, participantList, ...receiver.webhook() };
	const created = await service.create({ templateId: 'delivery', ...fields, unknown: true });
	expect(created.status).toBe(201);
	const made = (await created.json()) as Json;
	expectValid(made, 'Created');
	const id = String(made._id);
	for (const email of ['ann@example.com', 'ben@example.com']) {
		await service.submit(id, { name: 'Name', email, 'answers[Delivery address]': 'Street' });
		const request = await service.requestOf(id);
		expectValid(request, 'CollectionRequest');
		expectValid(await service.shareOf(request.shareId), 'Share');
	}
	for (const { body } of await receiver.take(2)) {
		expectValid(JSON.parse(body.toString()) as Json, 'Notification');
	}
});

test('it refuses a wrong key, an odd body, and what it does not know, and repeats no secret', async () => {
	const webhookSecret = 'whsec-to-keep';
	const refused = [
		await service.ask('/di/share/x', { headers: { authorization: 'Bearer key-to-keep' } }),
		await service.create({ webhookSecret }),
		await service.create({ templateId: 't', webhookSecret, webhookUrl: 'ftp://a.b/' }),
		await service.read('collection-request/x'),
	];
	expect(refused.map(({ status }) => status)).toEqual([401, 400, 400, 404]);
	for (const response of refused) expect(await response.text()).not.toMatch(/to-keep/);
});

test('as docs/sandbox.md says, the next calls fail, and then no more', async () => {
	const id = await service.newRequest();
	await service.send('PUT', '/sandbox/faults', { status: 503, left: 2 });
	const call = async () => (await service.read(`collection-request/${id}`)).status;
	expect([await call(), await call(), await call()]).toEqual([503, 503, 200]);
});
