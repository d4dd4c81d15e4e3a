import type { IExecuteFunctions } from 'n8n-workflow';

import { findJsonFault } from '../../shared/jsonFault';
import { isObject } from '../../shared/payload';
import type { ParticipantDetails } from '../../shared/types';
import { inputError } from '../operation';

/**
 * Reads the invited participants from the fields or the JSON list; only what was filled in.
 * Throws a NodeOperationError that says which entry cannot be used.
 */
export function participantsOf(this: IExecuteFunctions, itemIndex: number): ParticipantDetails[] {
	return this.getNodeParameter('participantsMode', itemIndex, 'fields') === 'json'
		? fromJson.call(this, itemIndex)
		: fromFields.call(this, itemIndex);
}

function fromFields(this: IExecuteFunctions, itemIndex: number): ParticipantDetails[] {
	const entries = listOf.call(
		this,
		this.getNodeParameter('participants.participant', itemIndex, []),
		'Participants',
		itemIndex,
	);
	return entries.map((entry, index) => {
		const filled = Object.entries(entry)
			.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const)
			.filter(([, value]) => value !== '' && value !== null);
		if (filled.some(([name]) => name !== 'isAdmin')) return Object.fromEntries(filled);
		throw inputError.call(
			this,
			itemIndex,
			`Participant ${index + 1} is empty`,
			'Enter a name, an email or a phone number, or remove the entry.',
		);
	});
}

function fromJson(this: IExecuteFunctions, itemIndex: number): ParticipantDetails[] {
	const label = 'Participants (JSON)';
	const value: unknown = this.getNodeParameter('participantsJson', itemIndex, '[]');
	if (typeof value !== 'string') return listOf.call(this, value, label, itemIndex);
	if (value.trim() === '') return [];
	const parsed = parseJson(value);
	if (parsed.ok) return listOf.call(this, parsed.value, label, itemIndex);
	const { line, column, found } = findJsonFault(value);
	const there = found === '' ? 'the text ends too early' : `there is ${found}`;
	throw inputError.call(
		this,
		itemIndex,
		`${label} is not valid JSON at line ${line}, column ${column}: ${there}`,
		'Enter a list like [{ "name": "Nathan Smith", "email": "nathan@example.com" }].',
	);
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
	try {
		return { ok: true, value: JSON.parse(text) };
	} catch {
		return { ok: false };
	}
}

function listOf(
	this: IExecuteFunctions,
	value: unknown,
	label: string,
	itemIndex: number,
): ParticipantDetails[] {
	if (!Array.isArray(value)) {
		throw inputError.call(
			this,
			itemIndex,
			`${label} is not a list`,
			'Enter a list of objects, each with a name, an email or a phone number.',
		);
	}
	return value.map((entry: unknown, index) => {
		if (isObject(entry)) return entry;
		throw inputError.call(
			this,
			itemIndex,
			`Participant ${index + 1} is not an object`,
			'Enter each participant as an object, e.g. { "email": "nathan@example.com" }.',
		);
	});
}
