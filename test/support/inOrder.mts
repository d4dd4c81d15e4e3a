/**
 * A `test` for a file whose tests each go on where the one before has ended. One that comes after a
 * failure says so at once, and does not look for what is not there.
 */
export function inOrder() {
	let unfinished: string | undefined;
	return (title: string, run: () => Promise<void>, timeout?: number): void => {
		const goOn = async () => {
			if (unfinished !== undefined) throw new Error(`It goes on where this failed: ${unfinished}`);
			unfinished = title;
			await run();
			unfinished = undefined;
		};
		test(title, goOn, timeout);
	};
}
