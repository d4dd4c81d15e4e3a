import { spreadOf, written } from './statistics.mts';
import type { Table } from './report.mts';

/** What each run of one size took. */
export interface Sized<Run> {
	size: number;
	runs: Run[];
}

export interface Column<Run> {
	title: string;
	value: (run: Run) => number;
	digits: number;
	/** Shows the most of all runs: what an earlier run has left in memory, a later one needs not take. */
	isMost?: boolean;
}

/**
 * A row for each size. The time of one is the first column divided by the size; the growth tells by
 * which power of the size the time grew since the row above: 1 is linear, less is better.
 */
export function growthTable<Run>(
	title: string,
	columns: Array<Column<Run>>,
	points: Array<Sized<Run>>,
): Table {
	const [time] = columns;
	const median = ({ runs }: Sized<Run>) =>
		time === undefined ? Number.NaN : spreadOf(runs.map(time.value)).median;
	const rows = points.map((point, index) => {
		const before = points[index - 1];
		const growth =
			before === undefined
				? ''
				: (Math.log(median(point) / median(before)) / Math.log(point.size / before.size)).toFixed(
						2,
					);
		return [
			point.size.toLocaleString('en'),
			...columns.map(({ value, digits, isMost = false }) => {
				const spread = spreadOf(point.runs.map(value));
				return isMost ? spread.most.toFixed(digits) : written(spread, digits);
			}),
			(median(point) / point.size).toFixed(2),
			growth,
		];
	});
	return { head: [title, ...columns.map((column) => column.title), 'ms for one', 'Growth'], rows };
}
