/* global document, DOMParser, fetch, setInterval */
// Shows new requests and deliveries while the page is visible, without moving the keyboard focus.
async function refresh() {
	if (document.hidden) return;
	const response = await fetch('/');
	if (!response.ok) return;
	const page = new DOMParser().parseFromString(await response.text(), 'text/html');
	const shown = document.querySelector('main');
	const fresh = page.querySelector('main');
	if (fresh.innerHTML === shown.innerHTML) return;
	const focused = shown.contains(document.activeElement) ? document.activeElement.id : '';
	shown.replaceWith(document.adoptNode(fresh));
	if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

setInterval(() => refresh().catch(() => undefined), 2000);
