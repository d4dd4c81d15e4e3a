/** Slope of the straight line that fits the points best, in units of y for one of x. */
export function slope(points: Array<{ x: number; y: number }>): number {
	const mean = (numbers: number[]) =>
		numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
	const meanX = mean(points.map(({ x }) => x));
	const meanY = mean(points.map(({ y }) => y));
	const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
	const common = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
	return spread === 0 ? 0 : common / spread;
}
