import type { INodeProperties } from 'n8n-workflow';

/** What ends the wait; the limit has the names and choices of n8n's own Wait node. */
export const waitFields: INodeProperties[] = [
	{
		displayName: 'Wait for Statuses',
		name: 'waitForStatuses',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Status' },
		default: ['completed'],
		placeholder: 'e.g. completed',
		description: 'The share statuses that end the wait; any of them does',
	},
	{
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		type: 'boolean',
		default: false,
		description:
			'Whether to go on after a time even if no awaited status has been reported; the item then has timedOut: true',
	},
	{
		displayName: 'Limit Type',
		name: 'limitType',
		type: 'options',
		options: [
			{
				name: 'After Time Interval',
				value: 'afterTimeInterval',
				description: 'Waits for a certain amount of time',
			},
			{
				name: 'At Specified Time',
				value: 'atSpecifiedTime',
				description: 'Waits until the set date and time',
			},
		],
		default: 'afterTimeInterval',
		description: 'Whether the limit is an amount of time or a date',
		displayOptions: { show: { limitWaitTime: [true] } },
	},
	{
		displayName: 'Amount',
		name: 'resumeAmount',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 1,
		description: 'The time to wait',
		displayOptions: { show: { limitWaitTime: [true], limitType: ['afterTimeInterval'] } },
	},
	{
		displayName: 'Unit',
		name: 'resumeUnit',
		type: 'options',
		options: [
			{ name: 'Days', value: 'days' },
			{ name: 'Hours', value: 'hours' },
			{ name: 'Minutes', value: 'minutes' },
			{ name: 'Seconds', value: 'seconds' },
		],
		default: 'hours',
		description: 'Unit of the amount',
		displayOptions: { show: { limitWaitTime: [true], limitType: ['afterTimeInterval'] } },
	},
	{
		displayName: 'Max Date and Time',
		name: 'maxDateAndTime',
		type: 'dateTime',
		required: true,
		default: '',
		description: 'Go on at this date and time',
		displayOptions: { show: { limitWaitTime: [true], limitType: ['atSpecifiedTime'] } },
	},
];
