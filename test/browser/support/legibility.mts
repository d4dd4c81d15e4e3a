import assert from 'node:assert/strict';
import axe from 'axe-core';
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

/** Fails when a visible text has less contrast than 4.5, whatever its size, in light or in dark. */
export async function assertReadable(page: Page, name: string): Promise<void> {
	await page.evaluate(axe.source);
	for (const colorScheme of ['dark', 'light'] as const) {
		await page.emulateMedia({ colorScheme });
		const { violations, passes } = await page.evaluate(() => {
			const contrastRatio = { normal: { expected: 4.5 }, large: { expected: 4.5 } };
			axe.configure({ checks: [{ id: 'color-contrast', options: { contrastRatio } }] });
			return axe.run({ runOnly: 'color-contrast' });
		});
		const faint = violations.flatMap(({ nodes }) => nodes.map(({ html }) => html));
		assert.deepEqual(faint, [], `${name}, ${colorScheme}: contrast below 4.5`);
		assert.ok(passes.length > 0, `${name} has texts`);
	}
}
