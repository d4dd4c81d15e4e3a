import { ownerOf } from '../../sandbox/n8n/owner.mts';
import { Failure } from '../../sandbox/shared/failure.mts';

/** The cookie of a session of n8n's owner, whose password is in the user folder. */
export async function logIn(url: string, userFolder: string): Promise<string> {
	const { email, password } = await ownerOf(userFolder);
	const response = await fetch(`${url}/rest/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		// n8n before 1.90 calls the first field `email`; each version ignores the other name.
		body: JSON.stringify({ emailOrLdapLoginId: email, email, password }),
	});
	if (!response.ok) throw new Failure(`n8n refuses its owner's log-in: ${response.status}`);
	return response.headers
		.getSetCookie()
		.map((line) => line.split(';')[0])
		.join('; ');
}
