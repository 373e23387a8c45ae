import { AggregatorRegistry } from "prom-client";
import { definitionOf, type MetricName } from "../kernel/metrics/definitions";
import type { Figure } from "../kernel/metrics/meter";

/** The content type of the text. */
export const expositionType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;

interface Value {
	readonly value: number;
	readonly labels: Readonly<Record<string, string | number>>;
	readonly metricName: string;
}

/** Returns the figures of all threads as text that Prometheus reads. Equal series of several threads are added. */
export async function exposition(figures: readonly Figure[]): Promise<string> {
	const byName = Map.groupBy(figures, ({ name }) => name);
	const metrics = [...byName].map(([name, all]) => {
		const { type, help } = definitionOf(name);
		return { name, help, type, aggregator: "sum", values: all.flatMap(valuesOf) };
	});
	return await AggregatorRegistry.aggregate([metrics]).metrics();
}

/** A histogram has a value for each bound, which counts all values up to it. */
function valuesOf({ name, labels, value, buckets }: Figure): Value[] {
	if (!buckets) return [{ value, labels, metricName: name }];
	const { bounds = [] } = definitionOf(name satisfies MetricName);
	let count = 0;
	const upTo = buckets.map((ofBucket, at) => {
		count += ofBucket;
		return { value: count, labels: { ...labels, le: bounds[at] ?? "+Inf" }, metricName: `${name}_bucket` };
	});
	return [...upTo, { value, labels, metricName: `${name}_sum` }, { value: count, labels, metricName: `${name}_count` }];
}
