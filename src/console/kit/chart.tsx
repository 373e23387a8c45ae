import { useEffect, useRef } from "react";
import uPlot from "uplot";

export interface ChartProps {
	/** The label for screen readers. */
	readonly label: string;
	/** ISO 8601 days, ascending. */
	readonly days: readonly string[];
	readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
	readonly format: (value: number) => string;
	readonly formatDay: (day: string) => string;
}

const height = 220;

/** The page's colours for the canvas. They are read again when the colour scheme changes. */
function colour(element: Element, name: string): string {
	const probe = document.createElement("span");
	probe.style.color = `var(${name})`;
	element.append(probe);
	const found = getComputedStyle(probe).color;
	probe.remove();
	return found;
}

/** A column chart over time with a column for each series. The chart library is loaded when a screen first uses it. */
export default function Chart({ label, days, series, format, formatDay }: ChartProps) {
	const place = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const element = place.current;
		if (!element) return;
		let chart: uPlot | undefined;
		const draw = () => {
			chart?.destroy();
			chart = new uPlot(
				optionsOf(element),
				[days.map((_, at) => at), ...series.map(({ values }) => [...values])],
				element,
			);
		};
		const optionsOf = (within: Element): uPlot.Options => {
			const axis = {
				stroke: colour(within, "--quiet"),
				grid: { stroke: colour(within, "--line"), width: 1 },
				ticks: { show: false },
			};
			const tones = ["--accent", "--good", "--warn", "--info"].map((name) => colour(within, name));
			return {
				width: within.clientWidth,
				height,
				legend: { show: false },
				cursor: { show: false },
				scales: {
					x: { time: false, range: [-0.6, days.length - 0.4] },
					y: { range: (_, _min, max) => [0, max * 1.1 || 1] },
				},
				axes: [
					{
						...axis,
						size: 28,
						grid: { show: false },
						values: (_, splits) => splits.map((at) => (days[at] ? formatDay(days[at]) : "")),
						incrs: [1, 2, 5, 7, 10],
						space: 64,
					},
					{ ...axis, size: 72, values: (_, splits) => splits.map(format) },
				],
				series: [
					{},
					...series.map(({ name }, at) => ({
						label: name,
						stroke: tones[at % tones.length] ?? "",
						fill: tones[at % tones.length] ?? "",
						width: 0,
						points: { show: false },
						...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.6, 36], radius: 0.15 }) }),
					})),
				],
			};
		};
		draw();
		const resized = new ResizeObserver(draw);
		resized.observe(element);
		const scheme = matchMedia("(prefers-color-scheme: dark)");
		scheme.addEventListener("change", draw);
		return () => {
			resized.disconnect();
			scheme.removeEventListener("change", draw);
			chart?.destroy();
		};
	}, [days, series, format, formatDay]);
	return <div ref={place} className="chart" role="img" aria-label={label} />;
}
