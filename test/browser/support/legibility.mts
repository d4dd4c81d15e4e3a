import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Fails when the page can be scrolled sideways, or shows something beyond its right edge. */
export async function assertFits(page: Page, name: string): Promise<void> {
	const wide = await page.evaluate(() => {
		const { scrollWidth, clientWidth } = document.documentElement;
		const beyond = [...document.querySelectorAll('body *:not(pre *)')].filter(
			(element) => element.checkVisibility() && element.getBoundingClientRect().right > clientWidth,
		);
		return scrollWidth > clientWidth || beyond.length > 0
			? [scrollWidth, ...beyond.map((element) => element.outerHTML.slice(0, 120))]
			: [];
	});
	assert.deepEqual(wide, [], `${name} is wider than the window`);
}

/** Fails when a visible text has less contrast than WCAG's AA asks for, in light and in dark. */
export async function assertReadable(page: Page, name: string): Promise<void> {
	for (const colorScheme of ['dark', 'light'] as const) {
		await page.emulateMedia({ colorScheme });
		const faint = await page.evaluate(faintTexts);
		assert.deepEqual(faint, [], `${name}, ${colorScheme}: contrast below 4.5`);
	}
}

/** Runs in the page: its texts with a contrast below 4.5, each with the contrast. */
function faintTexts(): string[] {
	const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
	const linear = (channel: number) =>
		channel <= 10.31 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
	const brightness = (color: string) => {
		const [red = 0, green = 0, blue = 0] = channels(color).map(linear);
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	};
	const isClear = (color: string) => channels(color)[3] === 0;
	const backOf = (element: Element | null): string => {
		if (element === null) return getComputedStyle(document.documentElement).backgroundColor;
		const { backgroundColor } = getComputedStyle(element);
		return isClear(backgroundColor) ? backOf(element.parentElement) : backgroundColor;
	};
	const hasText = (element: Element) =>
		element.matches('input, textarea, select') ||
		[...element.childNodes].some(
			(node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
		);
	return [...document.body.querySelectorAll('*')]
		.filter((element) => element.checkVisibility() && hasText(element))
		.flatMap((element) => {
			const one = brightness(getComputedStyle(element).color);
			const other = brightness(backOf(element));
			const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
			return contrast < 4.5 ? [`${contrast.toFixed(2)}: ${element.outerHTML.slice(0, 80)}`] : [];
		});
}
