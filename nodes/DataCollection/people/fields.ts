import type { INodeProperties } from 'n8n-workflow';

export const personFields: INodeProperties[] = [
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
];

export const modeField: INodeProperties = {
	displayName: 'Specify Participants',
	name: 'participantsMode',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'From Input Items',
			value: 'items',
			description:
				'One collection request for each person, e.g. for each row of a sheet, unless you choose otherwise',
		},
		{
			name: 'Using Fields Below',
			value: 'fields',
			description: 'One collection request for each input item, with the people entered below',
		},
		{
			name: 'Using JSON',
			value: 'json',
			description: 'One collection request for each input item, with a list of people',
		},
	],
	default: 'fields',
	description: 'Where the invited participants come from',
	builderHint: {
		propertyHint:
			'For rows of people, such as a sheet, use "items": then oneRequestFor says who shares a collection request. The other two make one collection request for each input item.',
	},
};

const ofItems = { show: { participantsMode: ['items'] } };

export const oneRequestForField: INodeProperties = {
	displayName: 'One Collection Request For',
	name: 'oneRequestFor',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'All People',
			value: 'all',
			description:
				'One guest link and one form, which all fill in together; nobody knows who gave which answer',
		},
		{
			name: 'Each Group',
			value: 'group',
			description:
				'The people with the same value in a column share a form, e.g. one for each class',
		},
		{
			name: 'Each Person',
			value: 'person',
			description: 'Everybody has a guest link of their own, so you know whose answers they are',
		},
	],
	default: 'person',
	description: 'Who fills in the same form. It cannot be changed afterwards.',
	displayOptions: ofItems,
};

export const groupByField: INodeProperties = {
	displayName: 'Group By',
	name: 'groupBy',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. class, or drag the column here',
	description:
		'The column that separates the groups: each different value makes one collection request. Drag it here, or enter its name. Its value comes out as <code>group</code>.',
	displayOptions: { show: { ...ofItems.show, oneRequestFor: ['group'] } },
};

const columnField = (
	displayName: string,
	name: string,
	placeholder: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder,
	description,
	displayOptions: ofItems,
});

const BY_HEADING = 'If empty, found by its heading';

export const nameColumn = columnField(
	'Name',
	'personName',
	BY_HEADING,
	'The column with the names. If empty, it is found by its heading, e.g. Name, or First Name and Last Name.',
);

export const emailColumn = columnField(
	'Email',
	'personEmail',
	BY_HEADING,
	'The column with the email addresses. If empty, it is found by its heading, e.g. Email or E-Mail Address.',
);

export const phoneColumn = columnField(
	'Phone Number',
	'personPhoneNumber',
	'If empty, none are sent',
	'The column with the phone numbers. If empty, no phone numbers are sent to the service.',
);

export const adminField: INodeProperties = {
	displayName: 'Is Admin',
	name: 'isAdmin',
	type: 'boolean',
	default: false,
	description:
		'Whether the person administers the collection request. With an expression, only some people do.',
	displayOptions: { show: { '/participantsMode': ['items'] } },
};

export const fromItemsFields: INodeProperties[] = [
	oneRequestForField,
	groupByField,
	nameColumn,
	emailColumn,
	phoneColumn,
];
