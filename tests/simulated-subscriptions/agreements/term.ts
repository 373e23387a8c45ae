/** Terms of a subscription: their ends, notice and price increases, from docs/pricing.md. It imports nothing of `src`. */
import { addMonths, dayMs } from "../calendar";
import type { ListedTerm } from "../price-list";

/** The running term. */
export interface RunningTerm {
	readonly agreed: ListedTerm;
	/** Terms count from here, so that months do not drift. */
	readonly from: number;
	readonly months: number;
	/** The end of what an early end pays for; null: nothing is owed. */
	readonly owedUntil: number | null;
}

/** The price increase of a renewal, in percent. */
export interface Uplift {
	readonly percent: string;
	readonly isOfUsage: boolean;
}

export const endOfTerm = ({ from, months }: Pick<RunningTerm, "from" | "months">): number => addMonths(from, months);

const renewalMonths = ({ months, renewal }: ListedTerm): number => renewal?.months ?? months;

/** Returns the term of an instant, where the first one begins at another; null after the last one. */
export function termAt(agreed: ListedTerm, from: number, at: number): RunningTerm | null {
	let running: RunningTerm = { agreed, from, months: agreed.months, owedUntil: null };
	while (endOfTerm(running) <= at) {
		if (!agreed.renewal) return null;
		running = { ...running, months: running.months + renewalMonths(agreed) };
	}
	return running;
}

/** Returns the term that follows. */
export const renewed = (running: RunningTerm, agreed: ListedTerm): RunningTerm => ({
	...running,
	agreed,
	months: running.months + renewalMonths(running.agreed),
});

/** Returns the increase of a renewal. */
export const upliftOf = ({ agreed: { renewal } }: RunningTerm): Uplift[] =>
	renewal && Number(renewal.percent) !== 0 ? [{ percent: renewal.percent, isOfUsage: renewal.upliftsUsage }] : [];

/**
 * Returns the end that a call at `now` has if it asks for an end at `at`, and up to when the customer pays. Notice must come in time for the
 * end of a term.
 */
export function boundEnd(
	running: RunningTerm | null,
	at: number,
	now: number,
): { endAt: number; owedUntil: number | null } {
	if (!running || running.agreed.early === "ALLOWED") return { endAt: at, owedUntil: null };
	let bound = running;
	const { renewal } = running.agreed;
	const isTooLate = () => endOfTerm(bound) < at || now + (renewal?.notice ?? 0) * dayMs > endOfTerm(bound);
	while (renewal && isTooLate()) bound = renewed(bound, running.agreed);
	const agreedUntil = endOfTerm(bound);
	if (running.agreed.early === "AT_TERM_END") return { endAt: agreedUntil, owedUntil: null };
	return { endAt: at, owedUntil: at < agreedUntil ? agreedUntil : null };
}
