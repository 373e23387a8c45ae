/** Reads the text of metrics as a monitoring system does: each series with its labels in the order of their names, and its value. */
export function readMetrics(text: string): Map<string, number> {
	const series = new Map<string, number>();
	for (const line of text.split("\n")) {
		if (line === "" || line.startsWith("#")) continue;
		const [, name = "", labels = "", value = ""] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
		if (name === "") throw new Error(`no series: ${line}`);
		const sorted = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([one]) => one).sort();
		const key = sorted.length > 0 ? `${name}{${sorted.join(",")}}` : name;
		if (series.has(key)) throw new Error(`the series stands twice: ${key}`);
		series.set(key, Number(value));
	}
	return series;
}
