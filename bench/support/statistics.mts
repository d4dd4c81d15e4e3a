/** The results of several runs: the median and the extremes. */
interface Spread {
	median: number;
	least: number;
	most: number;
}

const ascending = (values: readonly number[]) => values.toSorted((one, other) => one - other);

/** The spread of some values; NaN if there are none. */
export function spreadOf(values: readonly number[]): Spread {
	const sorted = ascending(values);
	const middle = (sorted.length - 1) / 2;
	const at = (index: number) => sorted[index] ?? Number.NaN;
	return {
		median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
		least: at(0),
		most: at(sorted.length - 1),
	};
}

/** `1.08 (1.05 to 1.10)` */
export function written({ median, least, most }: Spread, digits = 2): string {
	const text = (value: number) => value.toFixed(digits);
	return `${text(median)} (${text(least)} to ${text(most)})`;
}

/** The spread of the ratio of each run of ours to the same run of theirs. */
export function ratios(ours: readonly number[], theirs: readonly number[]): Spread {
	return spreadOf(ours.map((value, run) => value / (theirs[run] ?? Number.NaN)));
}
