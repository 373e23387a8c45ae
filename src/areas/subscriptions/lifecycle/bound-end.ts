import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { partsOfRest } from "../billing/remainder";
import type { SubscriptionRow } from "../table";
import { boundEnd, withOwed } from "../terms/term";

/**
 * Returns the columns of an end that is requested for an instant: the term can move it. Throws InvalidCancellationDate if the rest of the
 * term is too long for an invoice.
 */
export function boundColumns(work: Work, row: SubscriptionRow, at: Instant) {
	const { endAt, owedUntil } = boundEnd(row, at, work.now);
	if (owedUntil !== null) partsOfRest(work, row, endAt, owedUntil);
	return { cancelAt: endAt, runningTerm: withOwed(row, owedUntil) };
}
