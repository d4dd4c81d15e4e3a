/* global document, DOMParser, fetch */
// Keeps the changing part of a page up to date.
async function update() {
	const page = await (await fetch('/')).text();
	const fresh = new DOMParser().parseFromString(page, 'text/html').getElementById('live');
	const live = document.getElementById('live');
	if (fresh.innerHTML !== live.innerHTML) live.replaceWith(fresh);
}

setInterval(() => document.hidden || update().catch(() => undefined), 2000);
