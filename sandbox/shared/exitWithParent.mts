// Loaded with `node --import` into everything the sandbox starts: if the sandbox is killed
// outright, its children notice that their parent is gone and shut down as usual.
const parent = process.ppid;

const watch = setInterval(() => {
	if (process.ppid === parent) return;
	clearInterval(watch);
	process.kill(process.pid, 'SIGTERM');
	setTimeout(() => process.exit(1), 10_000).unref();
}, 1000);
watch.unref();
