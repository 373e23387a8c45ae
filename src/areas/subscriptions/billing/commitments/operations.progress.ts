import { toIso } from "../../../../kernel/clock";
import type { Work } from "../../../../kernel/work";
import { owedBy } from "../../../pricing/models/spend-commitment";
import { noTaxes } from "../../../taxes/rules.levels";
import type { SubscriptionRow } from "../../table";
import { saleOf } from "../../terms/subscription-sale";
import { withCharged } from "../charged";
import { usageItems } from "../counted-usage";
import { rateBill } from "../rules.bill";
import { unbilledUsage } from "../usage";
import { partsUntil, runningCommitments } from "./running";
import { addedBy, billedIn } from "./spent";

/** The running window of a commitment: major units of its currency, before discounts and exclusive taxes. */
export interface CommitmentProgress {
	readonly scope: "ALL" | "ON_DEMAND";
	readonly currency: string;
	readonly amount: number;
	/** The charges that count so far, with usage that no invoice has. */
	readonly counted: number;
	readonly missing: number;
	readonly endDate: string;
}

/** Returns the running windows of the commitments of a subscription; none if it is not ACTIVE. */
export function commitmentProgress(work: Work, row: SubscriptionRow): CommitmentProgress[] {
	const running = row.status === "ACTIVE" ? runningCommitments(work, row) : [];
	if (running.length === 0) return [];
	const { windows } = unbilledUsage(work, withCharged(work, row), saleOf(work, row), work.now);
	const lines = rateBill({ sections: [{ items: usageItems(windows), taxation: noTaxes }] }).flatMap((one) => one.lines);
	return running.map((one) => {
		const { commitment, whole } = one.terms;
		const { scope, currency } = commitment;
		const time = { scope, currency, start: one.charge.startsAt, end: whole.end };
		const amount = owedBy(partsUntil(one, whole.end, false), currency);
		const counted = billedIn(work, row, time).plus(addedBy(lines, time));
		const missing = amount.minus(counted);
		return {
			...{ scope, currency, amount: Number(amount), counted: Number(counted) },
			missing: missing.lt(0) ? 0 : Number(missing),
			endDate: toIso(whole.end),
		};
	});
}
