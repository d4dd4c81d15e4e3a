import { Failure } from '../shared/failure.mts';
import { findNode, formType, formUrl } from './examples.mts';
import type { WorkflowFile } from './types.mts';

interface FormFields {
	values?: Array<{ fieldName?: string }>;
}

/** Submits the workflow's form as its page does; the answers are by the names of the fields. */
export async function submitForm(
	n8nUrl: string,
	workflow: WorkflowFile,
	answers: Record<string, string>,
): Promise<void> {
	const url = formUrl(n8nUrl, workflow);
	if (url === undefined) throw new Failure(`"${workflow.name}" has no form.`);
	const { values = [] } = findNode(workflow, formType)?.parameters.formFields as FormFields;
	const body = new FormData();
	// n8n's page names its inputs after their place.
	for (const [index, { fieldName = '' }] of values.entries()) {
		body.append(`field-${index}`, answers[fieldName] ?? '');
	}
	const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(60_000) });
	if (response.ok) return;
	throw new Failure(`The form ${url} answered ${response.status}: ${await response.text()}`);
}
