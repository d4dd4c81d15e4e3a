// Runs before each file of unit and engine.

for (const name of ['n8n-core', 'n8n-workflow']) jest.mock(name, () => globalThis.loadOnce(name));

// The product also runs on Node 20, where tests need what Node 22 has brought.
Promise.withResolvers ??= () => {
	let settle;
	const promise = new Promise((resolve, reject) => {
		settle = { resolve, reject };
	});
	return { promise, ...settle };
};
