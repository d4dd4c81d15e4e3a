import formbody from '@fastify/formbody';
import type { FastifyError, FastifyPluginAsync, FastifyReply } from 'fastify';
import { sendPage } from '../shared/http/pages.mts';
import { shareStatusOf } from './collectionRequests.mts';
import { refuse } from './errors.mts';
import { fields, findProblems, readEntered, type Entered } from './guestInput.mts';
import { COMPLETED, type Participation } from './participation.mts';
import type { Store, StoredRequest } from './store.mts';

type ById = { Params: { id: string } };

const UNKNOWN =
	'We cannot find this request. The link may be incomplete or out of date: ask for a new one.';

/** The target of guest links (Guest link), under `/request`: a form, which works without JavaScript. */
export const guestPage =
	(store: Store, participation: Participation): FastifyPluginAsync =>
	async (app) => {
		await app.register(formbody);
		const requestOf = (id: string) => store.requests.get(id) ?? refuse(404, 'not_found', UNKNOWN);
		app.setErrorHandler<FastifyError>(async ({ statusCode = 500, message }, _call, reply) => {
			return await showMessage(reply, statusCode, message.split('. '));
		});

		app.get<ById>('/:id', async ({ params }, reply) => {
			const request = requestOf(params.id);
			return shareStatusOf(request) === 'completed'
				? await showMessage(reply, 200, COMPLETED.split('. '))
				: await showForm(reply, request, {}, {});
		});

		app.post<ById>('/:id', async (call, reply) => {
			const request = requestOf(call.params.id);
			const entered = readEntered(call.body);
			const problems = findProblems(entered);
			if (Object.keys(problems).length > 0)
				return await showForm(reply, request, entered, problems);
			participation.submit(request, entered);
			const text = 'Your answers have been submitted. You can close this page.';
			return await showMessage(reply, 200, [`Thank you, ${entered.name}`, text]);
		});
	};

/** The form; with problems, the same page again with status 400. */
async function showForm(
	reply: FastifyReply,
	{ body }: StoredRequest,
	entered: Entered,
	problems: Entered,
) {
	const hasErrors = Object.keys(problems).length > 0;
	return await sendPage(reply, hasErrors ? 400 : 200, 'service/pages/form', {
		// A template's name would mean nothing to guests.
		title: body.webhookIdentifier?.trim() || 'We have some questions for you',
		fields: fields.map((field, index) => {
			const { name } = field;
			return { ...field, id: `field-${index}`, value: entered[name] ?? '', error: problems[name] };
		}),
		hasErrors,
	});
}

/** A page that only says something: the heading, and a text below it. */
async function showMessage(reply: FastifyReply, status: number, [title, text]: string[]) {
	return await sendPage(reply, status, 'service/pages/message', { title, text });
}
