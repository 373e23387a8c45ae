import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import { hasEffect } from "../../../pricing/commitments/rules.spend-commitment";
import type { SubscriptionRow } from "../../table";
import { commitmentsOf } from "../../terms/commitments";
import { saleOf } from "../../terms/subscription-sale";
import { commitmentTerms, ofCommitment, runningCommitments } from "../commitments/running";
import { billedIn } from "../commitments/spent";
import { overlappingWindows, runningDifferences, settledDifferences } from "./rules.spend";

/** Checks the commitments of a subscription. `isFollowed`: another subscription has taken charges over. */
export function* checkSpend(
	work: Work,
	named: string,
	row: SubscriptionRow,
	{
		billed,
		lines,
		isFollowed,
	}: { billed: readonly PeriodOfCharge[]; lines: readonly IssuedLine[]; isFollowed: boolean },
): Generator<string> {
	const windows = billed.filter(({ charge }) => charge.key.startsWith(ofCommitment));
	for (const of of Map.groupBy(windows, ({ charge }) => charge.key).values()) yield* overlappingWindows(named, of);
	for (const bills of Map.groupBy(windows, ({ charge, period }) => `${charge.id} ${period.startsAt}`).values()) {
		const [first] = bills;
		const terms = first && commitmentTerms(first.charge);
		if (!first || !terms) continue;
		const { scope, currency } = terms.commitment;
		const window: Period = { start: first.period.startsAt, end: first.period.endsAt };
		const spent = isFollowed ? null : billedIn(work, row, { scope, currency, ...window });
		yield* settledDifferences(named, { bills, terms, spent }, lines);
	}
	if (row.status !== "ACTIVE" || row.billedUntil === null) return;
	// A change without proration waits for the renewal.
	const running = runningCommitments(work, row);
	const sale = saleOf(work, row);
	const wanted = row.billingDetails?.prorationBehavior === "NONE" ? [] : commitmentsOf(row, sale).filter(hasEffect);
	yield* runningDifferences(named, row, running, wanted);
}
