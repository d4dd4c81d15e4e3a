import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownerOf, signIn } from '../../sandbox/n8n/owner.mts';
import { N8nRestError } from '../../sandbox/n8n/request.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { n8nUrl, userFolder } from '../support/environment.mts';

describe("n8n's owner in the sandbox", () => {
	test('has a password that is in the folder of this n8n, and none that everybody knows', async () => {
		const owner = await ownerOf(userFolder);
		await createRest(n8nUrl).logIn(owner);
		const known = createRest(n8nUrl).logIn({ ...owner, password: 'Sandbox123' });
		await assert.rejects(known, (error) => error instanceof N8nRestError && error.status === 401);
	});

	test('with another password than the folder has: one sentence says what to do', async () => {
		const other = await mkdtemp(path.join(tmpdir(), 'sandbox-owner-'));
		const sentence =
			/^n8n does not accept owner@example\.com with the password in \S+sandbox\.json: write .* or remove /;
		await assert.rejects(signIn(createRest(n8nUrl), other), { message: sentence });
		await rm(other, { recursive: true });
	});
});
