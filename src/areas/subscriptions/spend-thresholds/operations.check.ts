import type { Work } from "../../../kernel/work";
import { findMeterOf } from "../../features/operations";
import { usageProgress } from "../../usage/operations";
import type { CountedUsage } from "../billing/counted-usage";
import type { SubscriptionRow } from "../table";
import { reachedBy } from "./operations";
import { isMarked, readCursor, selectInvoicedAtOnce } from "./store";

/**
 * Yields subscriptions whose usage is to be invoiced at once, although nothing is going to. Where the job has events to mark,
 * it says nothing.
 */
export function* checkSpendThresholds(work: Work): Generator<string> {
	if (readCursor(work) !== usageProgress(work).counted) return;
	for (let after = ""; ; ) {
		const rows = selectInvoicedAtOnce(work, after);
		const last = rows.at(-1);
		if (!last) return;
		for (const row of rows) {
			if (isMarked(work, row)) continue;
			const reached = reachedBy(work, row, growsByUseAlone(work, row));
			if (reached)
				yield `the subscription ${row.refId}: its usage ${whys[reached.by]}, and no step is going to invoice it`;
		}
		after = last.id;
	}
}

const whys = { threshold: "has reached a spend threshold", events: "is charged at each event" } as const;

/** The cost of levels grows with time, and another meter counts other usage; both are compared at the next use. */
const growsByUseAlone =
	(work: Work, { usageBilledUntil, startAt }: SubscriptionRow) =>
	({ featureRef, levelWindow }: CountedUsage): boolean =>
		!levelWindow && (findMeterOf(work, featureRef)?.createdAt ?? 0) <= (usageBilledUntil ?? startAt);
