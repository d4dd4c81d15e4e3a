import type { Json } from '../../sandbox/n8n/types.mts';
import { service } from './environment.mts';

/** Somebody by their first name, in small letters. */
export const person = (name: string) => ({
	name: `${name.charAt(0).toUpperCase()}${name.slice(1)} Example`,
	email: `${name}@example.com`,
});
export const ada = person('ada');
export const ben = person('ben');
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
