import type { IExecuteFunctions } from 'n8n-workflow';

import { userError } from './errors';

/** An empty output means nobody. n8n's Always Output Data would put an empty item there. */
export function refuseAlwaysOutputData(context: IExecuteFunctions, output: string): void {
	if (context.getNode().alwaysOutputData !== true) return;
	const message = 'Always Output Data cannot be used with this operation';
	const description = `Turn it off in the settings of this node: it would send an empty item out of ${output} when nobody is there.`;
	throw userError({ message, description });
}

/** For an operation that takes all input items together. */
export function refuseExecuteOnce(context: IExecuteFunctions): void {
	if (context.getNode().executeOnce !== true) return;
	const message = 'Execute Once cannot be used with this operation';
	const description =
		'Turn it off in the settings of this node: it would leave out all input items but the first. To leave them out on purpose, put a Limit node before this node.';
	throw userError({ message, description });
}
