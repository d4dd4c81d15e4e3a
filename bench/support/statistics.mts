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

/** The quantile for a share from 0 to 1, by nearest rank; NaN if there are no values. */
export function quantile(values: readonly number[], share: number): number {
	return ascending(values)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? Number.NaN;
}

/** Slope of the straight line that best fits the points, in units of y per unit of x. */
export function slope(points: ReadonlyArray<{ x: number; y: number }>): number {
	const sum = (of: (point: { x: number; y: number }) => number) =>
		points.reduce((total, point) => total + of(point), 0);
	const mean = { x: sum(({ x }) => x) / points.length, y: sum(({ y }) => y) / points.length };
	const spread = sum(({ x }) => (x - mean.x) ** 2);
	return spread === 0 ? 0 : sum(({ x, y }) => (x - mean.x) * (y - mean.y)) / spread;
}
