import type { FastifyInstance } from 'fastify';
import type { Fault, FaultKind, Faults } from './faults.mts';
import { clearFaults, completeFault, faultKinds, faultTargets } from './faults.mts';
import { ref } from './schemas/describe.mts';

type Given = Partial<Fault> & Pick<Fault, 'kind'>;

interface Settings {
	Body: { fault?: Given | null; apiDelayMs?: number; requestsPerSecond?: number | null };
}

interface Form {
	Body: Record<string, string | undefined>;
}

const answer = { ...ref('Faults'), description: 'What is set now' };
const describe = (summary: string, more: object = {}) => ({
	schema: { tags: ['sandbox'], summary, ...more, response: { 200: answer } },
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
		({ body: { fault, ...settings } }) => {
			clearFaults(faults);
			Object.assign(faults, settings);
			faults.fault = fault ? completeFault(fault) : null;
			return stateOf(faults);
		},
	);

	app.delete('/faults', describe('Let all responses be as they should be'), () => {
		clearFaults(faults);
		return stateOf(faults);
	});
}

/** The console's form for the same. */
export function registerFaultForm(app: FastifyInstance, faults: Faults): void {
	const schema = { hide: true };

	app.post<Form>('/console/faults', { schema }, async ({ body }, reply) => {
		const number = (name: string) => {
			const text = body[name]?.trim() ?? '';
			return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
		};
		const kind = faultKinds.find((name) => name === body.kind);
		const given = { delayMs: number('delayMs'), status: statusOf(number('status'), kind) };
		clearFaults(faults);
		faults.apiDelayMs = Math.min(number('apiDelayMs') ?? 0, 600_000);
		faults.requestsPerSecond = number('requestsPerSecond') || null;
		if (kind !== undefined) {
			const fault = completeFault({ kind });
			faults.fault = {
				...fault,
				appliesTo: faultTargets.find((name) => name === body.appliesTo) ?? 'all',
				left: number('count') || null,
				status: given.status ?? fault.status,
				retryAfter: number('retryAfter') ?? fault.retryAfter,
				delayMs: Math.min(given.delayMs ?? fault.delayMs, 600_000),
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

/** A status that fits the kind; others are left to the default. */
function statusOf(status: number | undefined, kind: FaultKind | undefined): number | undefined {
	if (status === undefined) return undefined;
	const [from, to] = kind === 'redirect' ? [300, 399] : [400, 599];
	return status >= from && status <= to ? status : undefined;
}
