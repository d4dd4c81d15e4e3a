import { json } from './support/faultServer.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { ACCEPTED, WAITING, waiting } from './support/waiting.mts';

useVirtualTime();

test('Done has the notification that ended the wait, although an earlier one was still looking', async () => {
	const { statuses, notify, started } = await waiting(['a']);
	const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
	const { promise: mayRespond, resolve: respond } = Promise.withResolvers<void>();
	statuses.a = (...call) => {
		asked();
		void mayRespond.then(() => json(200, { _id: 'a', shareStatus: 'open' })(...call));
	};
	const first = notify({ requestId: 'a', shareStatus: 'open' });
	await isAsked;
	expect(await notify({ requestId: 'a', shareStatus: 'completed' })).toBe(WAITING);
	respond();
	expect(await first).toBe(ACCEPTED);
	expect(started).toMatchObject([{ notification: { shareStatus: 'completed' } }]);
});
