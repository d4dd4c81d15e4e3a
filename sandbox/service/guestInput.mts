/** What counts as an email address. */
export const EMAIL = { pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', maxLength: 254 };

const question = (label: string, isMandatory: boolean, autocomplete: string, rows: number) => {
	return { name: `answers[${label}]`, label, isMandatory, autocomplete, rows };
};

/** Every template's questions: the sandbox's own choice, as the API describes no template. */
export const questions = [
	question('Delivery address', true, 'street-address', 3),
	question('Contact phone', false, 'tel', 1),
	question('Remarks', false, 'off', 3),
];

/** What a guest enters, in the order of the form. */
export const fields = [
	{ name: 'name', label: 'Your name', isMandatory: true, autocomplete: 'name', rows: 1 },
	{ name: 'email', label: 'Email address', isMandatory: true, autocomplete: 'email', rows: 1 },
	...questions,
];

/** What a guest has entered, trimmed, by the name of the field. */
export type Entered = Partial<Record<string, string>>;

export function readEntered(form: unknown): Entered {
	const given = new URLSearchParams(Object(form) as Record<string, string>);
	return Object.fromEntries(fields.map(({ name }) => [name, given.get(name)?.trim() ?? '']));
}

/** What is wrong with it, as a plain sentence by the name of the field. */
export function findProblems(entered: Entered): Entered {
	const problems: Entered = {};
	for (const { name, label, isMandatory } of fields) {
		if (isMandatory && !entered[name]) problems[name] = `Fill this in: ${label}.`;
	}
	const { email = '' } = entered;
	if (email.length > EMAIL.maxLength || !new RegExp(EMAIL.pattern).test(email)) {
		problems.email = 'Enter an email address such as name@example.com.';
	}
	return problems;
}
