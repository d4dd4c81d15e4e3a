// Loaded into n8n with `node --import`. n8n looks only once a minute for waits whose time limit comes
// near, so that tests of several rounds would stand still for minutes. Nothing else is changed.
const { setInterval: original } = globalThis;
const minute = 60_000;

globalThis.setInterval = (work, delay, ...given) => {
	const isTracker = delay === minute && new Error().stack.includes('wait-tracker');
	return original(work, isTracker ? 2_000 : delay, ...given);
};
