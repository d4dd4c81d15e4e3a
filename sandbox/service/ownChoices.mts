/** The sandbox's choices where the API leaves something open (What is unknown). */
export const ownChoices: readonly string[] = [
	'Staging has the address of the sandbox itself; production has the same address with /production at the end. A key for one environment gets 401 in the other, and neither environment finds the resources of the other.',
	'Status codes: 200 for reads, 201 for create, 400, 401 and 404 for errors.',
	'Error bodies: { "code": "…", "message": "…" }, the message in plain words.',
	'Create returns nothing but _id. Each create makes a new collection request, even if it is the same as another.',
	'Create checks its body: templateId is required. Participant limits are whole numbers: the minimum is 0 or more (default 1), and the maximum is 1 or more (default 10, or what the invitations need) and not below the minimum. No more people may be invited than the maximum. webhookUrl must be an http or https URL and needs webhookSecret. Email addresses must look like email addresses. Unknown fields are accepted and ignored.',
	'IDs are 24 lowercase hexadecimal characters; the title, account IDs, purposes and schemaVersion are made up.',
	'shareStatus is open before a share exists. The share is created when the first participant joins.',
	'A collection request is completed when every invited participant with an email address, and at least the minimum number of participants, has submitted.',
	'Other people with the link may join as long as there are places left; the places of invited people stay reserved.',
	'Every template asks the same three text questions. If several participants answer, the labels repeat: the answers of one participant follow those of another.',
	'isQuotaLocked and isPublicJoin are always false, deleteTime is always null, agreements is always empty.',
	'A notification is sent when the share is created (open) and when it is completed. Its timestamp is in milliseconds. It has no webhookIdentifier when none was given.',
	'A failed delivery is not retried.',
];
