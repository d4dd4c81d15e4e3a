import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { countable, start } from '../../bench/deployment/deployment.mts';
import { publishTarget } from '../../bench/support/target.mts';
import { credentialType } from '../../sandbox/n8n/examples.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { triggerNode } from '../support/workflows.mts';
import { check, sendAll } from './campaign.mts';
import { casesFor, firstCases } from './cases.mts';
import { worldOf } from './letters.mts';
import { figuresOf, saveFigures } from './report.mts';

// npm run test:fuzz -- [deliveries] [seed]: 20,000 by default, with a new seed each time.
// npm run test:fuzz -- --only <seed>:<number>: repeats one case.

const folder = path.join(root, '.fuzz');
/** Nothing listens there; the trigger reads nothing from it. */
const nobody = 'http://127.0.0.1:9';
/** n8n's other engine starts an isolate for each delivery, which takes ten times as long. */
const fast = { N8N_EXPRESSION_ENGINE: 'legacy' };

function wholeNumber(text: string, name: string): number {
	const number = Number(text);
	if (Number.isSafeInteger(number) && number >= 0) return number;
	throw new Failure(`The ${name} has to be a whole number; "${text}" is none.`);
}

/** The seed, and the requested cases. */
function orderOf(args: string[]) {
	const options = { only: { type: 'string' } } as const;
	const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
	if (values.only !== undefined) {
		const [given = '', index = ''] = values.only.split(':');
		const seed = wholeNumber(given, 'seed');
		return { seed, drafts: casesFor(seed, wholeNumber(index, 'number')) };
	}
	const [deliveries = '20000', given = String(randomInt(2 ** 31))] = positionals;
	const seed = wholeNumber(given, 'seed');
	return { seed, drafts: firstCases(seed, wholeNumber(deliveries, 'number of deliveries')) };
}

async function main(): Promise<number> {
	const { seed, drafts } = orderOf(process.argv.slice(2));
	if (!(await holdLock('fuzz'))) {
		throw new Failure('This checkout is being fuzzed already: wait for it.');
	}
	const world = worldOf(seed);
	const deployment = await start('regular', { folder, env: { ...countable, ...fast } });
	const credential = await deployment.rest.createCredential('Fuzz', credentialType, {
		...{ environment: 'production', productionBaseUrl: nobody, productionCollectUrl: nobody },
		...{ apiKey: 'key', tokenId: 'token', webhookSecret: world.secret },
		previousWebhookSecrets: world.previous.join('\n'),
	});
	const target = await publishTarget(deployment, 'Fuzz', [triggerNode(credential)]);
	const campaign = { seed, world, deployment, target };
	const started = Date.now();
	const entries = await sendAll(campaign, drafts);
	const seconds = Math.round((Date.now() - started) / 1000);
	const figures = figuresOf(entries);
	console.table(figures);
	console.log(`Seed ${seed}, ${seconds} s, ${(entries.length / seconds).toFixed(0)} a second`);

	const checks = await check(campaign, entries);
	for (const [rule, faults] of Object.entries(checks)) {
		console.log(`${faults.length === 0 ? '✓' : '✗'} ${rule}`);
		for (const fault of faults.slice(0, 10)) console.log(`  ${fault}\n`);
	}
	const all = Object.values(checks);
	const failed = all.filter((faults) => faults.length > 0).length;
	const place = saveFigures({ seed, seconds, figures, checks });
	console.log(`The figures are in ${place}\n\n${all.length - failed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

await runCommand(main, 130);
