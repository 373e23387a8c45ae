import { definitionOf, type LabelsOf, type MetricName } from "./definitions";

/** One series of a metric, as plain data that another thread can send. */
export interface Figure {
	readonly name: MetricName;
	readonly labels: Readonly<Record<string, string>>;
	/** The value of a counter or a gauge, or the sum of a histogram. */
	readonly value: number;
	/** The number of values below each bound of a histogram, and above the last one. */
	readonly buckets?: readonly number[];
}

/** A count that only grows. */
export class Counter {
	value = 0;

	add(by = 1): void {
		this.value += by;
	}
}

/** The distribution of values. An observation takes some nanoseconds, so that the most frequent requests can afford it. */
export class Histogram {
	sum = 0;
	readonly buckets: Float64Array;
	readonly #bounds: readonly number[];

	constructor(bounds: readonly number[]) {
		this.#bounds = bounds;
		this.buckets = new Float64Array(bounds.length + 1);
	}

	observe(value: number): void {
		const bounds = this.#bounds;
		let at = 0;
		while (at < bounds.length && value > (bounds[at] as number)) at += 1;
		this.buckets[at] = (this.buckets[at] as number) + 1;
		this.sum += value;
	}

	/** Observes the seconds since a reading of `performance.now()`. */
	observeSince(begunAtMs: number): void {
		this.observe((performance.now() - begunAtMs) / 1000);
	}
}

interface Series<Kind> {
	readonly name: MetricName;
	readonly labels: Readonly<Record<string, string>>;
	readonly of: Kind;
}

/**
 * The counts of one thread since its start. Ask for a series once and keep it where it is used often. The caller takes labels from sets that
 * the program knows, never from a request, so that their number is bounded.
 */
export class Meter {
	readonly #counters = new Map<string, Series<Counter>>();
	readonly #histograms = new Map<string, Series<Histogram>>();
	readonly #gauges: Array<() => Iterable<Figure>> = [];

	counter<Name extends MetricName>(name: Name, labels: LabelsOf<Name>): Counter {
		return series(this.#counters, name, labels, () => new Counter());
	}

	histogram<Name extends MetricName>(name: Name, labels: LabelsOf<Name>): Histogram {
		return series(this.#histograms, name, labels, () => new Histogram(definitionOf(name).bounds ?? []));
	}

	/** Adds a figure that is read when figures are collected. */
	read<Name extends MetricName>(name: Name, labels: LabelsOf<Name>, value: () => number): void {
		this.#gauges.push(() => [figure(name, labels, value())]);
	}

	figures(): Figure[] {
		return [
			...[...this.#counters.values()].map(({ name, labels, of }) => ({ name, labels, value: of.value })),
			...[...this.#histograms.values()].map(({ name, labels, of }) => ({
				...{ name, labels, value: of.sum },
				buckets: [...of.buckets],
			})),
			...this.#gauges.flatMap((gauge) => [...gauge()]),
		];
	}
}

export const figure = <Name extends MetricName>(name: Name, labels: LabelsOf<Name>, value: number): Figure => ({
	name,
	labels,
	value,
});

function series<Kind>(
	all: Map<string, Series<Kind>>,
	name: MetricName,
	labels: Readonly<Record<string, string>>,
	make: () => Kind,
): Kind {
	const key = [name, ...Object.values(labels)].join(" ");
	const known = all.get(key);
	if (known) return known.of;
	const made = make();
	all.set(key, { name, labels, of: made });
	return made;
}
