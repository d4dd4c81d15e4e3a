import type { FastifyInstance } from 'fastify';
import type { Fault, Faults } from './faults.mts';
import { clearFaults, completeFault, faultKinds, faultTargets } from './faults.mts';
import { ref } from './schemas/describe.mts';

type Given = Partial<Fault> & Pick<Fault, 'kind'>;

interface Settings {
	Body: { fault?: Given | null; apiDelayMs?: number; requestsPerSecond?: number | null };
}

interface Form {
	Body: Record<string, string | undefined>;
}

const settings = { ...ref('Faults'), description: 'What is set now' };
const describe = (summary: string, more: object = {}) => ({
	schema: { tags: ['sandbox'], summary, ...more, response: { 200: settings } },
});

const stateOf = ({ fault, apiDelayMs, requestsPerSecond }: Faults) => ({
	fault,
	apiDelayMs,
	requestsPerSecond,
});

/** Faults over HTTP, for the prefix `/sandbox`. */
export function registerFaultControl(app: FastifyInstance, faults: Faults): void {
	app.get('/faults', describe('The fault that responses of the API get'), () => stateOf(faults));

	app.put<Settings>(
		'/faults',
		describe('Let responses of the API go wrong; what is left out is switched off', {
			body: ref('FaultSettings'),
		}),
		({ body: { fault, ...others } }) => {
			clearFaults(faults);
			Object.assign(faults, others);
			faults.fault = fault ? completeFault(fault) : null;
			return stateOf(faults);
		},
	);

	app.delete('/faults', describe('Let all responses be as they should be'), () => {
		clearFaults(faults);
		return stateOf(faults);
	});
}

/** The console's form for the same; nonsense in a field counts as nothing entered. */
export function registerFaultForm(app: FastifyInstance, faults: Faults): void {
	const schema = { hide: true };

	app.post<Form>('/console/faults', { schema }, async ({ body }, reply) => {
		const number = (name: string, from = 0, to = 600_000) => {
			const text = body[name]?.trim() ?? '';
			const isAccepted = /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to;
			return isAccepted ? Number(text) : undefined;
		};
		const kind = faultKinds.find((name) => name === body.kind);
		clearFaults(faults);
		faults.apiDelayMs = number('apiDelayMs') ?? 0;
		faults.requestsPerSecond = number('requestsPerSecond', 1) ?? null;
		if (kind !== undefined) {
			const fault = completeFault({ kind });
			const [from, to] = kind === 'redirect' ? [300, 399] : [400, 599];
			faults.fault = {
				kind,
				appliesTo: faultTargets.find((name) => name === body.appliesTo) ?? 'all',
				left: number('count', 1) ?? null,
				status: number('status', from, to) ?? fault.status,
				retryAfter: number('retryAfter') ?? fault.retryAfter,
				delayMs: number('delayMs') ?? fault.delayMs,
				location: body.location?.trim() || fault.location,
			};
		}
		return await reply.redirect('/#active-faults', 303);
	});

	app.post('/console/faults/clear', { schema }, async (_request, reply) => {
		clearFaults(faults);
		return await reply.redirect('/', 303);
	});
}
