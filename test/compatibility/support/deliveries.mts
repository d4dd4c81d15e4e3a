import assert from 'node:assert/strict';
import type { N8nRest } from '../../../sandbox/n8n/rest.mts';
import { assertAnswer, type Outcome } from '../../support/answers.mts';
import type { Delivery } from '../../support/delivery.mts';
import { countExecutions } from '../../support/executions.mts';
import { send } from '../../support/send.mts';
import type { Trigger } from '../../support/trigger.mts';
import { until } from '../../support/until.mts';

/**
 * What the end-to-end tests ask of a trigger at once, asked with patience: older versions of n8n
 * answer before they have stored the execution.
 */
export interface PatientTrigger {
	/** Sends; it must get the constant answer of the outcome. */
	answers(delivery: Delivery, outcome: Outcome): Promise<void>;
	/** Waits for as many executions as were accepted so far, plus `more`; fails for one too many. */
	assertCount(more?: number): Promise<void>;
}

/** The trigger before its first delivery. */
export function patient(rest: N8nRest, trigger: Trigger): PatientTrigger {
	const { workflow, url } = trigger;
	let accepted = 0;
	const count = () => countExecutions(rest, workflow.id);
	const atLeast = (number: number) =>
		until(`${number} executions`, async () => ((await count()) >= number ? true : undefined));
	return {
		async answers(delivery, outcome) {
			assertAnswer(await send(url, delivery), outcome);
			if (outcome === 'accepted') accepted += 1;
		},
		async assertCount(more = 0) {
			accepted += more;
			// What must not start anything comes before it, and would be counted by then.
			assertAnswer(await send(url, trigger.good()), 'accepted');
			accepted += 1;
			await atLeast(accepted);
			assert.equal(await count(), accepted, 'number of executions');
		},
	};
}
