/* global document, DOMParser, fetch, location, navigator, URLSearchParams, window */
// Updates the page while it is visible, without closing anything or moving the focus.
const said = document.getElementById('said');
let asked = 0;

async function refresh() {
	asked += 1;
	const mine = asked;
	const response = await fetch('/');
	const html = await response.text();
	if (!response.ok || mine !== asked) return;
	// Only this part: parsing the whole page would apply its styles, which the policy forbids here.
	const part = html.slice(html.indexOf('<div id="live">'), html.indexOf('<!--live-->'));
	const shown = document.getElementById('live');
	const fresh = new DOMParser().parseFromString(part, 'text/html').getElementById('live');
	for (const { id, open } of shown.querySelectorAll('details')) {
		const same = fresh.querySelector(`#${id}`);
		if (same) same.open = open;
	}
	if (fresh.innerHTML === shown.innerHTML) return;
	const focused = shown.contains(document.activeElement) ? document.activeElement : undefined;
	const summary = focused?.closest('details')?.querySelector('summary').id;
	shown.replaceWith(document.adoptNode(fresh));
	const again = focused?.id && document.getElementById(focused.id);
	(again || (summary && document.getElementById(summary)))?.focus({ preventScroll: true });
}
const update = () => refresh().catch(() => undefined);

function openTarget() {
	const details = document.getElementById(location.hash.slice(1))?.closest('details');
	if (!details || details.open) return;
	details.open = true;
	details.scrollIntoView();
}

function say(text) {
	said.textContent = text;
	setTimeout(() => said.textContent === text && (said.textContent = ''), 2000);
}

document.addEventListener('click', ({ target }) => {
	const { copy } = target.dataset;
	if (copy === undefined) return;
	navigator.clipboard.writeText(copy).then(
		() => say(`Copied: ${copy}`),
		() => say('The browser did not allow the page to copy. Select the text and copy it yourself.'),
	);
});

document.addEventListener('submit', (event) => {
	const form = event.target;
	if (!document.getElementById('live').contains(form)) return;
	event.preventDefault();
	const sent = { method: 'POST', body: new URLSearchParams(), redirect: 'manual' };
	fetch(form.action, sent).then(update, () => say('The sandbox is not responding.'));
});

window.addEventListener('hashchange', openTarget);
openTarget();
setInterval(() => document.hidden || update(), 2000);
