/* global document, DOMParser, fetch */
// Keeps a page up to date without closing anything or moving the focus, and sends what its buttons
// say: method and address in data-send, the body in data-body.
let last = '';

async function update() {
	const page = await (await fetch('/')).text();
	const fresh = new DOMParser().parseFromString(page, 'text/html').getElementById('live');
	if (fresh.innerHTML === last) return;
	last = fresh.innerHTML;
	const live = document.getElementById('live');
	const focused = live.contains(document.activeElement) && document.activeElement.id;
	for (const { id } of live.querySelectorAll('details[open]')) {
		fresh.querySelector(`#${id}`)?.setAttribute('open', '');
	}
	live.replaceChildren(...fresh.childNodes);
	if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

document.addEventListener('click', async ({ target }) => {
	const { send, body = '{}' } = target.dataset;
	if (send === undefined) return;
	const [method, address] = send.split(' ');
	await fetch(address, { method, body, headers: { 'content-type': 'application/json' } });
	await update();
});

setInterval(() => document.hidden || update().catch(() => undefined), 2000);
