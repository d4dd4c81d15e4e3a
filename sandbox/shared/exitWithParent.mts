// Loaded with `node --import` into everything the sandbox starts: when the sandbox is killed
// outright, what it started notices that its parent is gone and ends in its usual way.
const parent = process.ppid;

const watch = setInterval(() => {
	if (process.ppid === parent) return;
	clearInterval(watch);
	process.kill(process.pid, 'SIGTERM');
	setTimeout(() => process.exit(1), 10_000).unref();
}, 1000);
watch.unref();
