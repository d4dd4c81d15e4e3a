import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { credentialType } from '../../sandbox/n8n/examples.mts';
import type { Log } from '../../sandbox/shared/failure.mts';
import type { Deployment } from '../deployment/deployment.mts';
import { save, type Row } from '../deployment/figures.mts';
import { createReader } from '../deployment/reader.mts';
import { startServiceBehindFront } from '../deployment/service.mts';
import { sendBursts } from './bursts.mts';
import { memoryRows, watchMemory } from './memory.mts';
import { findRate, sendSteadily } from './steady.mts';
import { createTargets } from './target.mts';
import { judge } from './verdict.mts';

const settleWithin = 600_000;

export interface MeasureOptions {
	deployment: Deployment;
	/** Sizes of the bursts. */
	bursts: number[];
	/** Of the steady load. */
	minutes: number;
	/** Deliveries a second for each of the two workflows; found out unless given. */
	rate: number | undefined;
	/** Receives the raw figures. */
	folder: string;
	log: Log;
}

export interface Measured {
	loads: Row[];
	memory: Row[];
	/** Executions that belong to no delivery that was sent. */
	strangers: number;
}

/** Warms up, sends the bursts, then the steady load, and counts what n8n has stored. */
export async function measure(options: MeasureOptions): Promise<Measured> {
	const { deployment, bursts, minutes, folder, log } = options;
	const { mode, rest, url, members } = deployment;
	const service = await startServiceBehindFront(deployment.folder);
	const secret = `whsec-${randomBytes(24).toString('base64url')}`;
	const fields = service.credentialFields(secret);
	const targets = await createTargets(
		deployment,
		await rest.createCredential('Load', credentialType, fields),
	);
	const both = [targets.ours, targets.plain];
	const reader = await createReader(rest, url);
	const settle = async () => {
		for (const target of both) await reader.settle(target.workflowId, settleWithin);
	};

	const found = await findRate(targets, secret);
	const { rate = found.rate } = options;
	log(`  ${found.perSecond.toFixed(1)} a second at most; steady: ${rate} a second for each`);
	await settle();
	const burst = await sendBursts({ targets, sizes: bursts, secret, reader, log });
	await settle();
	log(`  ${minutes} minutes of ${rate} a second for each of the two`);
	const memory = watchMemory(members);
	const steady = await sendSteadily({ targets, secret, rate, minutes, log });
	const samples = await memory.stop();
	await settle();

	const records = [...found.records, ...burst, ...steady];
	const judged = await judge(mode, reader, both, records);
	await service.stop();
	await save(path.join(folder, `${mode}.json`), { rate, minutes, ...judged, samples, records });
	return { loads: judged.rows, memory: memoryRows(mode, samples), strangers: judged.strangers };
}
