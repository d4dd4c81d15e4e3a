import type { TriggerPanelDefinition } from 'n8n-workflow';

const MODES =
	'The trigger has two addresses.<br /><br /><b>The test URL is for building.</b> Execute this step, so that n8n listens, then let a collection request that was created with the test URL as its Webhook URL change state. It takes one notification and shows it here.<br /><br />';

/** What the editor says beside the trigger: when which of its two addresses works. */
export const triggerPanel: TriggerPanelDefinition = {
	header: '',
	executionsHelp: {
		inactive: `${MODES}<b>The production URL is for real requests.</b> Publish the workflow: from then on it takes every notification. Those executions show up in the executions list, not in the editor.`,
		active: `${MODES}<b>The production URL is for real requests.</b> It takes every notification, because the workflow is published. Those executions show up in the <a data-key="executions">executions list</a>, not in the editor.`,
	},
	activationHint:
		'Once the workflow is finished, publish it and use the production URL: then no button has to be pressed.',
};
