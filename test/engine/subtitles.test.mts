import { resources } from '../../nodes/DataCollection/actions/router.ts';
import { action } from './support/engine.mts';
import { nodeOf, workflowOf } from './support/workflow.mts';

const subtitles = Object.entries(resources).flatMap(([resource, operations]) =>
	Object.keys(operations).map((operation) => {
		const node = nodeOf(action, { resource, operation });
		const { expression } = workflowOf([action], [node]);
		return expression.getSimpleParameterValue(node, action.description.subtitle, 'internal', {});
	}),
);

test('the canvas shows what each operation does to what', () => {
	expect(subtitles).toEqual([
		'check status',
		'create collection request',
		'get collection request',
		'get guest link',
		'get participants',
		'get people to remind',
		'wait for collection request',
		'send test',
		'verify notification',
		'get share',
		'get answers',
		'get history',
	]);
});
