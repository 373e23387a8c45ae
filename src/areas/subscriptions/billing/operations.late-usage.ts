import type { Decimal } from "../../../kernel/decimal";
import { type Work, workAt } from "../../../kernel/work";
import { membersOf } from "../../invoices/consolidated/operations";
import type { InvoiceSubscriptionRow } from "../../invoices/consolidated/table";
import type { LateUsageOf } from "../../invoices/drafts/operations";
import type { InvoiceRow } from "../../invoices/table";
import { currencyOfCharge } from "../../pricing/models/charge";
import { changeSubscription, selectByIds } from "../store";
import { type ChargedSubscription, chargedColumns, withCharged } from "./charged";
import { settleCommitments } from "./commitments/settle";
import { allWindows, recordBilled } from "./counted-usage";
import { linesFor, namedLines } from "./issue";
import { lateUsage } from "./late-usage";
import { payerOf } from "./payer";
import { rateBill, withDrawdown } from "./rules.bill";
import { lateCommitmentSections, lateUsageSections, usageSection } from "./settlement";

/**
 * Returns the lines of late usage for a draft that is about to be issued, and records that usage as billed. Each window keeps
 * its prices; discount and tax are those of the draft.
 */
export const lateUsageOfSubscription: LateUsageOf = (work, draft) => {
	if (draft.subscriptionId !== null) {
		const { subscriptionId, taxPercentage } = draft;
		return lateLines(work, draft, { subscriptionId, taxPercentage }, linesFor);
	}
	return membersOf(work, draft).flatMap((member) => lateLines(work, draft, member, namedLines));
};

function lateLines(
	work: Work,
	draft: InvoiceRow,
	{ subscriptionId, taxPercentage }: Pick<InvoiceSubscriptionRow, "subscriptionId" | "taxPercentage">,
	name: typeof linesFor,
): ReturnType<LateUsageOf> {
	const [found] = selectByIds(work, [subscriptionId]);
	if (!found) return [];
	const row = asDrafted(withCharged(work, found), taxPercentage);
	const counted = lateUsage(work, row);
	const windows = allWindows(counted);
	// Usage that is priced in another currency waits for the next invoice, and so does the rest.
	if (windows.length === 0 || windows.some(({ item }) => currencyOfCharge(item.charge) !== draft.currency)) return [];
	const payer = payerOf(workAt(work, draft.createdAt), row);
	const running = [usageSection(row, payer, counted.windows, true)];
	if (row.charged && counted.windows.length > 0)
		changeSubscription(work, found, chargedColumns(withDrawdown(row.charged, running)));
	const late = lateUsageSections(row, payer, counted);
	const commitments = settleCommitments(work, row, { sections: [...running, ...late] });
	const rated = rateBill({ sections: [...running, ...late, ...lateCommitmentSections(row, payer, commitments)] });
	recordBilled(work, row, { ...counted, commitments }, { rated, invoice: draft });
	return rated.flatMap(({ lines }) => name(row, payer, lines));
}

/** The minimum spend of an ended subscription's last period is stored with the closed periods. */
const asDrafted = (row: ChargedSubscription, taxPercentage: Decimal | null): ChargedSubscription => ({
	...row,
	taxPercentage,
	charged: row.status === "ACTIVE" ? row.charged : null,
});
