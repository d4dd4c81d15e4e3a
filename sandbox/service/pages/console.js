/* global document, DOMParser, fetch */
// Shows new requests and deliveries while the page is visible, without moving the keyboard focus.
async function refresh() {
	if (document.hidden) return;
	const response = await fetch('/');
	if (!response.ok) return;
	const html = await response.text();
	// Only this part: parsing the whole page would apply its styles, which its policy forbids here.
	const part = html.slice(html.indexOf('<main>'), html.indexOf('</main>'));
	const shown = document.querySelector('main');
	const fresh = new DOMParser().parseFromString(part, 'text/html').querySelector('main');
	if (fresh.innerHTML === shown.innerHTML) return;
	const focused = shown.contains(document.activeElement) ? document.activeElement.id : '';
	shown.replaceWith(document.adoptNode(fresh));
	if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

setInterval(() => refresh().catch(() => undefined), 2000);
