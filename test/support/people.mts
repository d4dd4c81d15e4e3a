import type { Json } from '../../sandbox/n8n/types.mts';
import { service } from './environment.mts';

export const ada = { name: 'Ada Example', email: 'ada@example.com' };
export const ben = { name: 'Ben Example', email: 'ben@example.com' };
export const twoPeople = [ada, ben];

/** Parameters of Create for a collection request that Ada and Ben are asked to complete. */
export const createForTwo: Json = {
	resource: 'collectionRequest',
	operation: 'create',
	templateId: 'e2e-template',
	participantsMode: 'json',
	participantsJson: JSON.stringify(twoPeople),
};

/** Both submit, each giving a prefix and their name as the address. */
export function bothAnswer(guestLink: unknown, prefix = '', at = service): void {
	for (const person of twoPeople) at.submit(guestLink, person, `${prefix}${person.name}`);
}
