import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { noTaxes } from "../../taxes/rules.levels";
import type { SubscriptionRow } from "../table";
import { endCoupons } from "../terms/coupons";
import { itemsInAdvance } from "../terms/items-of-period";
import type { PhaseTerms } from "../terms/phases";
import type { Sale } from "../terms/sale";
import { termFromStart } from "../terms/term";
import { endCharges, startCharges } from "./arrears";
import { chargedColumns, recordCharged, withCharged } from "./charged";
import { startCommitments } from "./commitments/running";
import type { CycleTerms } from "./cycle";
import { asChargedElsewhere, billingCycleOf, cycleColumns, inFirstPhase, noBillingCycle } from "./first-cycle";
import { usageDueAfter } from "./rules.usage-intervals";
import { hasArrears } from "./settlement";

/** Returns the billing cycle of an imported subscription, whose running period another system charged. */
export function importedBillingCycle(
	work: Work,
	row: CycleTerms & PhaseTerms & Pick<SubscriptionRow, "term" | "minimumSpend" | "prorationMode">,
	base: Sale,
	from: Instant,
) {
	const cycle = billingCycleOf(work, row, base, { from, replaced: [] });
	const { sale, phase } = inFirstPhase(row, base, cycle, work.now);
	if (!cycle) return { columns: noBillingCycle, sale, charged: null, from, period: null };
	const items = itemsInAdvance(work, { ...row, timeZone: cycle.timeZone }, sale, cycle.period);
	const charged = asChargedElsewhere(items, cycle, { coupon: null, taxPercentage: null, taxation: noTaxes });
	const columns = {
		...cycleColumns(cycle),
		phase,
		runningTerm: termFromStart({ ...row, timeZone: cycle.timeZone }, base.plan, work.now),
		billedUntil: cycle.period.end,
		usageBilledFrom: cycle.from,
		termsChangedAt: work.now,
		usageDueAt: usageDueAfter(sale, cycle, cycle.period.end, work.now),
		...chargedColumns(charged),
	};
	return { columns, sale, charged, from: cycle.from, period: cycle.period };
}

/** Records the running period of an imported subscription, which another system charged. */
export const recordImported = (
	work: Work,
	row: SubscriptionRow,
	{ sale, charged, from, period }: ReturnType<typeof importedBillingCycle>,
): void => {
	const { chargedBy } = withCharged(work, row);
	recordCharged(work, row, charged, { chargedBy, rated: [], invoice: undefined, from });
	endCoupons(work, row, from);
	if (period) startCommitments(work, row, sale, { start: period.end, period });
	if (!period || !hasArrears(sale)) return;
	endCharges(work, row);
	startCharges(work, row, sale, { start: period.end, whole: period });
};
