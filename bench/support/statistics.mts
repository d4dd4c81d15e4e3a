/** What several runs gave: the middle one, and how far the others were from it. */
export interface Spread {
	median: number;
	least: number;
	most: number;
}

const ascending = (values: readonly number[]) => [...values].sort((a, b) => a - b);

export function spreadOf(values: readonly number[]): Spread {
	const sorted = ascending(values);
	const middle = (sorted.length - 1) / 2;
	const lower = sorted[Math.floor(middle)] ?? Number.NaN;
	const upper = sorted[Math.ceil(middle)] ?? Number.NaN;
	return {
		median: (lower + upper) / 2,
		least: sorted[0] ?? Number.NaN,
		most: sorted.at(-1) ?? Number.NaN,
	};
}

/** `1.08 (1.05 to 1.10)` */
export function written({ median, least, most }: Spread, digits = 2): string {
	const text = (value: number) => value.toFixed(digits);
	return `${text(median)} (${text(least)} to ${text(most)})`;
}

/** What each run of one took, against the run of the other beside it. */
export function ratios(ours: readonly number[], theirs: readonly number[]): Spread {
	return spreadOf(ours.map((value, run) => value / (theirs[run] ?? Number.NaN)));
}
