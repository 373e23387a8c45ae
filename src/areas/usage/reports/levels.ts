import type { Instant } from "../../../kernel/clock";
import { type Decimal, isLess, plus, zero } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import { canBeRepeated, NotYetRead } from "../../../kernel/storage/failures";
import { inTimeSlices } from "../../../kernel/time-slices";
import type { Work } from "../../../kernel/work";
import type { LevelFold } from "./level-folds";
import type { ReportReader } from "./reader";
import type { UsageReportSeriesRow } from "./table";

/** Reports that a transaction may read for levels, in some 10 ms, where it is repeated once more are read. */
const reportsPerWork = 2_000;

/** Reports of a page. A page with different levels takes some 3 ms. */
const reportsPerPage = 500;

/** States in memory: about 1 kB each, of days some more. The calculation that was used least recently goes first. */
const statesMax = 4_000;

/** States of one calculation, so that a late report repeats a part of it. */
const statesPerRunMax = 32;

/** A calculation over the reports before a place in the order of time. */
interface Reached<State> {
	readonly state: State;
	/** The place of the last report that is read. */
	readonly at: Instant;
	readonly position: number;
	/** The level after it, which may be below 0, and the time since which it lasts. */
	readonly level: Decimal;
	readonly since: Instant;
	/** The number of reports up to this place, those before the period included. */
	readonly reports: number;
}

/** With what shows later whether the reports are the same: they are only added, unless the write of the last one was rolled back. */
interface Kept<State> extends Reached<State> {
	/** The number of reports with an earlier time. */
	readonly reportsBefore: number;
	readonly lastReportId: string;
}

/** The same calculation over the same reports, for each later end. */
interface Run<State = unknown> {
	readonly reached: Array<Kept<State>>;
	reading: Promise<void> | undefined;
}

export interface LevelsOf {
	readonly reader: ReportReader;
	readonly series: UsageReportSeriesRow;
	readonly period: Period;
}

/**
 * Calculates over the levels of series. One for each connection. A long calculation continues from where an earlier one has stopped, and a
 * thread that serves others reads it in time slices, ahead of the transaction that needs it.
 */
export class LevelCalculations {
	readonly #runs = new Map<string, Run>();
	#states = 0;
	/** The reports that a work has read. Works at other instants of the same transaction have the same cause. */
	#read: { by?: Work["cause"]; reports: number } = { reports: 0 };

	/** Returns the result over a period. Throws `NotYetRead` if it takes too many reports and the caller is repeated. */
	resultOf<State, Result>(work: Work, of: LevelsOf, fold: LevelFold<State, Result>): Result {
		const { reader, period } = of;
		if (period.start >= period.end) return fold.resultOf(fold.none);
		if (this.#read.by !== work.cause) this.#read = { by: work.cause, reports: 0 };
		const key = `${of.series.id}/${period.start}/${fold.id}`;
		const run = this.#runOf<State>(key);
		const first = this.#lastValid(run, of) ?? begin(of, fold.none);
		const left = reader.reportsBefore(of.series, period.end) - first.reports;
		if (canBeRepeated() && this.#read.reports + left > reportsPerWork) {
			run.reading ??= this.#readInSlices(key, of, fold).finally(() => {
				run.reading = undefined;
			});
			throw new NotYetRead("The levels of a long period are being added up; repeat the call shortly.", run.reading);
		}
		this.#read.reports += left;
		let reached = first;
		for (let hasMore = true; hasMore; ) ({ reached, hasMore } = readPage(of, fold, reached));
		if (left > reportsPerPage) this.#keep(key, run, of, reached);
		return endedAt(fold, reached, period.end);
	}

	#readInSlices<State, Result>(key: string, of: LevelsOf, fold: LevelFold<State, Result>): Promise<void> {
		return inTimeSlices((isOver) => {
			const run = this.#runOf<State>(key);
			const { customerId, featureId, resourceRef } = of.series;
			const series = of.reader.find({ customerId, featureId, resourceRef });
			// The customer is erased.
			if (series?.id !== of.series.id) return false;
			const now = { ...of, series };
			let reached = this.#lastValid(run, now) ?? begin(now, fold.none);
			let hasMore: boolean;
			do ({ reached, hasMore } = readPage(now, fold, reached));
			while (hasMore && !isOver());
			this.#keep(key, run, now, reached);
			return hasMore;
		});
	}

	/** Returns the last state whose reports are unchanged, and drops later ones. An earlier one is valid if a later one is. */
	#lastValid<State>({ reached }: Run<State>, { reader, series, period }: LevelsOf): Kept<State> | undefined {
		let [from, to] = [0, reached.length];
		while (from < to) {
			const middle = Math.floor((from + to) / 2);
			const one = reached[middle];
			if (
				one &&
				reader.hasReport(series.lastReportId, one.lastReportId) &&
				reader.reportsBefore(series, one.at) === one.reportsBefore
			)
				from = middle + 1;
			else to = middle;
		}
		this.#states -= reached.length - from;
		reached.length = from;
		return reached.findLast(({ at }) => at < period.end);
	}

	#runOf<State>(key: string): Run<State> {
		const run = this.#runs.get(key) ?? { reached: [], reading: undefined };
		this.#runs.delete(key);
		this.#runs.set(key, run);
		// The key names the calculation, and so the type of its states.
		return run as Run<State>;
	}

	#keep<State>(key: string, { reached }: Run<State>, { reader, series }: LevelsOf, last: Reached<State>): void {
		const reportsBefore = reader.reportsBefore(series, last.at);
		const one = { ...last, reportsBefore, lastReportId: series.lastReportId };
		const kept = reached.filter(({ at, position }) => at < one.at || (at === one.at && position < one.position));
		kept.push(one);
		// The distances grow towards the past.
		if (kept.length > statesPerRunMax) kept.splice(Math.floor(kept.length / 2) - 1, 1);
		this.#states += kept.length - reached.length;
		reached.splice(0, reached.length, ...kept);
		for (const [other, run] of this.#runs) {
			if (this.#states <= statesMax && this.#runs.size <= statesMax) return;
			if (other === key) return;
			this.#states -= run.reached.length;
			run.reached.length = 0;
			this.#runs.delete(other);
		}
	}
}

function begin<State>({ reader, series, period: { start } }: LevelsOf, state: State): Reached<State> {
	const level = reader.levelAt(series, start);
	return { state, at: start, position: 0, level, since: start, reports: reader.reportsBefore(series, start) };
}

/** Adds the next reports, and returns whether there may be more. */
function readPage<State, Result>(
	{ reader, series, period }: LevelsOf,
	fold: LevelFold<State, Result>,
	{ state, ...from }: Reached<State>,
): { reached: Reached<State>; hasMore: boolean } {
	const { at, position } = from;
	const page = reader.statements.changes.all({
		...{ seriesId: series.id, at, position, end: period.end, rowsMax: reportsPerPage },
	});
	const last = page.at(-1);
	if (!last) return { reached: { ...from, state }, hasMore: false };
	const summing = fold.from(state);
	let { level, since } = from;
	for (const change of page) {
		if (change.at > since) summing.add({ level: atLeastZero(level), start: since, end: change.at });
		level = plus(level, change.delta);
		since = change.at;
	}
	const reports = from.reports + page.length;
	const reached = { state: summing.pause(), at: last.at, position: last.position, level, since, reports };
	return { reached, hasMore: page.length === reportsPerPage };
}

/** Returns the result where the last level lasts until the end. */
function endedAt<State, Result>(
	fold: LevelFold<State, Result>,
	{ state, level, since }: Reached<State>,
	end: Instant,
): Result {
	const summing = fold.from(state);
	summing.add({ level: atLeastZero(level), start: since, end });
	return fold.resultOf(summing.pause());
}

const atLeastZero = (level: Decimal): Decimal => (isLess(level, zero) ? zero : level);

/** Returns the local days from one date to another, without the last one. `startOf` returns the start of a day. */
export const daysBetween = (from: number, to: number, startOf: (day: number) => Instant): Period[] =>
	Array.from({ length: Math.max(0, to - from) }, (_, at) => ({
		start: startOf(from + at),
		end: startOf(from + at + 1),
	}));
