import { definitionOf } from "../kernel/metrics/definitions";
import type { Figure, Meter } from "../kernel/metrics/meter";
import type { Thread } from "./thread";

/** The longest wait for the figures of a thread. A busy thread counts on, and its last figures stand in for it. */
const waitMsMax = 200;

/** Collects what the threads have counted. The main thread has one, if metrics are served. */
export class Measuring {
	readonly #main: Meter;
	readonly #threads: ReadonlyMap<string, Thread>;
	/** The last figures of each thread that runs. */
	readonly #last = new Map<string, readonly Figure[]>();
	/** The totals of threads that have ended, so that no total goes down. */
	#ended: readonly Figure[] = [];

	constructor(main: Meter, threads: ReadonlyMap<string, Thread>) {
		this.#main = main;
		this.#threads = threads;
	}

	/** Returns the figures of all threads. `tollgate_thread_up` names those that have not answered. */
	async collect(): Promise<Figure[]> {
		const asked = [...this.#threads].filter(([, thread]) => thread.isReady);
		const answered = await Promise.all(asked.map(([name, thread]) => this.#ask(name, thread)));
		return [
			...this.#ended,
			...named("main", this.#main.figures()),
			{ name: "tollgate_thread_up", labels: { thread: "main" }, value: 1 },
			...answered.flat(),
		];
	}

	async #ask(name: string, thread: Thread): Promise<Figure[]> {
		const figures = await Promise.race([thread.measure(), Bun.sleep(waitMsMax)]);
		if (figures) this.#last.set(name, named(name, figures));
		return [
			...(this.#last.get(name) ?? []),
			{ name: "tollgate_thread_up", labels: { thread: name }, value: figures ? 1 : 0 },
		];
	}

	/** Keeps the totals of a thread that has ended. */
	ended(name: string): void {
		const totals = (this.#last.get(name) ?? []).filter((figure) => definitionOf(figure.name).type !== "gauge");
		this.#ended = added(this.#ended, totals);
		this.#last.delete(name);
	}
}

/** Adds the name of the thread to those figures that have it as a label. */
const named = (thread: string, figures: readonly Figure[]): Figure[] =>
	figures.map((figure) =>
		definitionOf(figure.name).labels.includes("thread") ? { ...figure, labels: { thread, ...figure.labels } } : figure,
	);

/** Adds figures of the same series, so that their number does not grow with each thread that ends. */
function added(some: readonly Figure[], others: readonly Figure[]): Figure[] {
	const sums = new Map<string, Figure>();
	for (const figure of [...some, ...others]) {
		const key = JSON.stringify([figure.name, figure.labels]);
		const sum = sums.get(key);
		const buckets = figure.buckets?.map((count, at) => count + (sum?.buckets?.[at] ?? 0));
		sums.set(key, { ...figure, value: figure.value + (sum?.value ?? 0), ...(buckets && { buckets }) });
	}
	return [...sums.values()];
}
