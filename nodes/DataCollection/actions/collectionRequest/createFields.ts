import type { INodeProperties } from 'n8n-workflow';

/** What n8n's own Retry On Fail would do. */
export const retryNotice: INodeProperties = {
	displayName:
		'Keep "Retry On Fail" off: n8n would repeat the whole node and invite participants twice.',
	name: 'retryNotice',
	type: 'notice',
	default: '',
};

/** The parameters that say what to create; the order is the order in the editor. */
export const createFields: INodeProperties[] = [
	{
		displayName: 'Template ID',
		name: 'templateId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c0',
		description: 'ID of the form template that participants fill in',
	},
	{
		displayName: 'Child Account ID',
		name: 'childAccountId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c1',
		description:
			'ID of the child account under which the collection request is created. Leave it empty if your account has none.',
	},
	{
		displayName: 'Minimum Participants',
		name: 'minimumParticipants',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 1,
		description: 'How many participants have to take part at least',
	},
	{
		displayName: 'Maximum Participants',
		name: 'maximumParticipants',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 10,
		description: 'How many participants may take part at most',
	},
	{
		displayName: 'Specify Participants',
		name: 'participantsMode',
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
		description: 'Whether to enter the invited participants one by one or as a JSON list',
	},
	{
		displayName: 'Participants',
		name: 'participants',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add Participant',
		default: {},
		description: 'The people invited to fill in the form',
		displayOptions: { show: { participantsMode: ['fields'] } },
		options: [
			{
				displayName: 'Participant',
				name: 'participant',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. Nathan Smith',
					},
					{
						displayName: 'Email',
						name: 'email',
						type: 'string',
						default: '',
						placeholder: 'e.g. nathan@example.com',
					},
					{
						displayName: 'Phone Number',
						name: 'phoneNumber',
						type: 'string',
						default: '',
						placeholder: 'e.g. +41 44 668 18 00',
					},
					{
						displayName: 'Is Admin',
						name: 'isAdmin',
						type: 'boolean',
						default: false,
						description: 'Whether this participant administers the collection request',
					},
				],
			},
		],
	},
	{
		displayName: 'Participants (JSON)',
		name: 'participantsJson',
		type: 'json',
		typeOptions: { rows: 5 },
		default: '[]',
		placeholder: 'e.g. [{ "name": "Nathan Smith", "email": "nathan@example.com" }]',
		description:
			'A list of objects with the fields <code>name</code>, <code>email</code>, <code>phoneNumber</code> and <code>isAdmin</code>, each of them optional',
		displayOptions: { show: { participantsMode: ['json'] } },
	},
];

/** What few workflows need, after the parameters above and those of the operation. */
export const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [
		{
			displayName: 'Webhook Identifier',
			name: 'webhookIdentifier',
			type: 'string',
			default: '',
			placeholder: 'e.g. onboarding',
			description: 'A text of your own that comes back in every notification',
		},
	],
};
