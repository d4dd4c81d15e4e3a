import { itemOf, payload, valueOf } from '../support/delivery.mts';
import { without, withHeader, type Delivery } from '../support/delivery.mts';
import { serviceUrl } from '../support/environment.mts';
import { createTrigger } from '../support/trigger.mts';

// What Node's HTTP parser does to headers. Their values are the subject of test/unit.

const trigger = await createTrigger({ name: 'Headers' });
const signature = 'X-SVC-Signature';
const timestamp = 'X-SVC-Timestamp';

type Change = (delivery: Delivery) => Delivery;

/** Replaces a header with one line for each value made from the right one. */
const changed =
	(header: string, change: (right: string) => string[]): Change =>
	(delivery) =>
		withHeader(delivery, header, ...change(valueOf(delivery, header)));
const renamed =
	(change: (name: string) => string): Change =>
	({ headers, body }) => ({ headers: headers.map(([name, value]) => [change(name), value]), body });

test.each<[title: string, change: Change]>([
	['no X-SVC-Event: the event of the body', (delivery) => without(delivery, 'X-SVC-Event')],
	['spaces around the signature', changed(signature, (right) => [`  ${right}  `])],
	['header names in lower case', renamed((name) => name.toLowerCase())],
	['header names in upper case', renamed((name) => name.toUpperCase())],
])('%s: accepted', async (_title, change) => {
	const fields = payload();
	const good = trigger.good(fields);
	expect(await trigger.accepts(change(good))).toStrictEqual(itemOf(good, fields, serviceUrl));
});

test('no X-SVC-Delivery-Id: accepted, deliveryId is null', async () => {
	const item = await trigger.accepts(without(trigger.good(), 'X-SVC-Delivery-Id'));
	expect(item.deliveryId).toBe(null);
});

const forged = '0'.repeat(64);
test.each<[title: string, change: Change, logs?: string]>([
	['no signature', (delivery) => without(delivery, signature), `${signature} is missing`],
	['no timestamp', (delivery) => without(delivery, timestamp), `${timestamp} is missing`],
	['two signatures, wrong and right', changed(signature, (right) => [forged, right])],
	['two signatures, right and wrong', changed(signature, (right) => [right, forged])],
	['two timestamps', changed(timestamp, (time) => [time, time])],
])('%s: refused', async (_title, change, logs = 'Delivery refused (unverified)') => {
	await trigger.refuses(change(trigger.good()), 'unverified', logs);
});
