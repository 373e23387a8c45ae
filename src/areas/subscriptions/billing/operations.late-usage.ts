import { type Work, workAt } from "../../../kernel/work";
import type { LateUsageOf } from "../../invoices/drafts/operations";
import type { InvoiceRow } from "../../invoices/table";
import { currencyOfCharge } from "../../pricing/models/charge";
import { changeSubscription, selectByIds } from "../store";
import type { SubscriptionRow } from "../table";
import { allWindows, recordBilled } from "./counted-usage";
import { lateUsage } from "./late-usage";
import { rateBill, withDrawdown } from "./rules.bill";
import { lateUsageSections, usageSection } from "./settlement";

/**
 * What has come late of a subscription's usage, for a draft of it that is about to be issued: priced as its windows were,
 * discounted and taxed as the draft; recorded as billed.
 */
export const lateUsageOfSubscription: LateUsageOf = (work, draft) => {
	const [found] = draft.subscriptionId === null ? [] : selectByIds(work, [draft.subscriptionId]);
	if (!found) return [];
	const row = asDrafted(found, draft);
	const counted = lateUsage(work, row);
	const windows = allWindows(counted);
	// What was priced in another currency is billed by the next invoice, and the rest with it.
	if (windows.length === 0 || windows.some(({ item }) => currencyOfCharge(item.charge) !== draft.currency)) return [];
	const then: Work = workAt(work, draft.createdAt);
	const running = [usageSection(then, row, counted.windows, true)];
	if (row.charged && counted.windows.length > 0)
		changeSubscription(work, found, { charged: withDrawdown(row.charged, running) });
	recordBilled(work, row, counted);
	return rateBill({ sections: [...running, ...lateUsageSections(then, row, counted)] }).flatMap(({ lines }) => lines);
};

/** The minimum of the last period of what has ended is kept with those that have passed. */
const asDrafted = (row: SubscriptionRow, { taxPercentage }: InvoiceRow): SubscriptionRow => ({
	...row,
	taxPercentage,
	charged: row.status === "ACTIVE" ? row.charged : null,
});
