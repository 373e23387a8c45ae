import type { Period } from "../../../kernel/period";
import { canBeRepeated, NotYetRead } from "../../../kernel/storage/failures";
import { inTimeSlices } from "../../../kernel/time-slices";
import type { Transaction, Work } from "../../../kernel/work";

/** Totals that a transaction may read for windows, in some 10 ms, where it is repeated once more are read. */
const totalsPerWork = 1_000;

/** Totals that are read at once, in some 2 ms, and the windows in which many totals are read together at least. */
const totalsAtOnce = 250;
const windowsAtOnceMin = 24;

/** States in memory: a few kB each. The calculation that was used least recently goes first. */
const statesMax = 1_000;

/** The usage of one customer in windows. */
export interface WindowSource {
	/** As long as it and the changes of a period are the same, so is the usage of the period. */
	readonly id: string;
	/** How many totals have the usage of a window. */
	readonly totalsPerWindow: number;
	changesIn(period: Period): number;
	/** The last report, and whether a report is there: its write may have been rolled back. */
	readonly lastReportId?: string;
	hasReport(id: string): boolean;
}

/** A calculation over windows in order of time, which can stop after any window and continue later. States are never changed. */
export interface WindowFold<State, Source extends WindowSource, Window extends Period> {
	/** Distinguishes the calculation from others over the same usage, by price and by the first window. */
	readonly id: string;
	readonly none: State;
	/** Adds the next windows. */
	add(state: State, source: Source, windows: readonly Window[]): State;
}

/** A calculation over the first windows. */
interface Reached<State> {
	readonly state: State;
	readonly windows: number;
}

interface Kept<State> extends Reached<State> {
	readonly sourceId: string;
	readonly period: Period;
	readonly changes: number;
	readonly lastReportId: string | undefined;
}

interface Run<State = unknown> {
	kept: Kept<State> | undefined;
	reading: Promise<void> | undefined;
}

/**
 * Calculates over windows of usage. One for each connection. A long calculation continues from where an earlier one has stopped, and a
 * thread that serves others reads it in time slices, ahead of the transaction that needs it. The last window is read each time: it may
 * continue.
 */
export class WindowCalculations {
	readonly #runs = new Map<string, Run>();
	/** The totals that a work has read. Works at other instants of the same transaction have the same cause. */
	#read: { by?: Work["cause"]; totals: number } = { totals: 0 };

	constructor(private readonly tx: Transaction) {}

	/**
	 * Returns the state after all windows. `find` finds the usage as it is now. Throws `NotYetRead` if it takes too many totals and the caller
	 * is repeated.
	 */
	resultOf<State, Source extends WindowSource, Window extends Period>(
		work: Work,
		find: () => Source,
		windows: readonly Window[],
		fold: WindowFold<State, Source, Window>,
	): State {
		if (this.#read.by !== work.cause) this.#read = { by: work.cause, totals: 0 };
		const source = find();
		const key = `${source.id}/${fold.id}`;
		const run = this.#runOf<State>(key);
		const closed = windows.length - 1;
		let reached: Reached<State> = validIn(run, source, closed) ?? { state: fold.none, windows: 0 };
		const totals = (closed - reached.windows) * source.totalsPerWindow;
		if (canBeRepeated() && this.#read.totals + totals > totalsPerWork) {
			run.reading ??= this.#readInSlices(run, find, windows, fold).finally(() => {
				run.reading = undefined;
			});
			throw new NotYetRead("The usage of many windows is being added up; repeat the call shortly.", run.reading);
		}
		this.#read.totals += totals;
		while (reached.windows < closed) reached = readSome(source, windows, fold, reached);
		if (totals > totalsAtOnce) run.kept = keptOf(source, windows, reached);
		return fold.add(reached.state, source, windows.slice(closed));
	}

	/** Each slice is a transaction, so that its totals are of one instant. */
	#readInSlices<State, Source extends WindowSource, Window extends Period>(
		run: Run<State>,
		find: () => Source,
		windows: readonly Window[],
		fold: WindowFold<State, Source, Window>,
	): Promise<void> {
		const closed = windows.length - 1;
		const { id } = find();
		return inTimeSlices((isOver) =>
			this.tx.transaction(() => {
				const source = find();
				// The repeated transaction finds its own.
				if (source.id !== id) return false;
				let reached: Reached<State> = validIn(run, source, closed) ?? { state: fold.none, windows: 0 };
				while (reached.windows < closed && !isOver()) reached = readSome(source, windows, fold, reached);
				run.kept = keptOf(source, windows, reached);
				return reached.windows < closed;
			}),
		);
	}

	#runOf<State>(key: string): Run<State> {
		const run = this.#runs.get(key) ?? { kept: undefined, reading: undefined };
		this.#runs.delete(key);
		this.#runs.set(key, run);
		for (const other of this.#runs.keys()) {
			if (this.#runs.size <= statesMax) break;
			this.#runs.delete(other);
		}
		// The key names the calculation, and so the type of its states.
		return run as Run<State>;
	}
}

/** Returns the state that is kept, if its usage is unchanged and it has no more than `most` windows. */
function validIn<State>({ kept }: Run<State>, source: WindowSource, most: number): Kept<State> | undefined {
	if (!kept || kept.windows > most || kept.sourceId !== source.id) return undefined;
	if (kept.lastReportId !== undefined && !source.hasReport(kept.lastReportId)) return undefined;
	return source.changesIn(kept.period) === kept.changes ? kept : undefined;
}

function readSome<State, Source extends WindowSource, Window extends Period>(
	source: Source,
	windows: readonly Window[],
	fold: WindowFold<State, Source, Window>,
	{ state, windows: from }: Reached<State>,
): Reached<State> {
	const atOnce = Math.max(windowsAtOnceMin, Math.floor(totalsAtOnce / source.totalsPerWindow));
	const to = Math.min(from + atOnce, windows.length - 1);
	return { state: fold.add(state, source, windows.slice(from, to)), windows: to };
}

function keptOf<State>(
	source: WindowSource,
	windows: readonly Period[],
	reached: Reached<State>,
): Kept<State> | undefined {
	const [first, last] = [windows[0], windows[reached.windows - 1]];
	if (!first || !last) return undefined;
	const period = { start: first.start, end: last.end };
	const { id: sourceId, lastReportId } = source;
	return { ...reached, sourceId, period, changes: source.changesIn(period), lastReportId };
}
