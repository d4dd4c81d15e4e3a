import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { section, tableRows, textFile } from '../support/markdown.mts';
import { startReceiver, useService, type Json } from './client.mts';

const service = useService();
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
		expectValid(JSON.parse(body.toString()) as Json, 'Notification');
	}
});
