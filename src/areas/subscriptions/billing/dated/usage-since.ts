import type { Instant } from "../../../../kernel/clock";
import type { Work } from "../../../../kernel/work";
import type { SubscriptionRow } from "../../table";
import type { Sale } from "../../terms/sale";
import { type UsageCount, usageItems } from "../counted-usage";
import { chargeKeyOf } from "../measures/measure";
import type { BillSection } from "../rules.bill";
import { unbilledUsage } from "../usage";
import type { ReversedUsage } from "./reversal";
import { billAt, termsOfBill, workAtEnd } from "./terms-of-then";

/** The usage of past windows at the prices of a change with an earlier date. */
export interface UsageSince {
	readonly sections: readonly BillSection[];
	readonly counted: UsageCount;
}

interface Since {
	/** The subscription after the change, with its billing cycle. */
	readonly row: SubscriptionRow;
	readonly sale: Sale;
	/** From when the new prices apply. */
	readonly from: Instant;
	readonly reversed: ReversedUsage;
}

/**
 * Rates the usage since an earlier date at the new prices, up to the window that runs. If that had a bill, it gets one again. Each window
 * has the discount and the taxes of the bill that it replaces.
 */
export function usageSince(work: Work, { row, sale, from, reversed }: Since): UsageSince {
	const changed = { ...row, usageBilledFrom: from, charged: null, chargedBy: [] };
	const found = unbilledUsage(work, changed, sale, work.now, {
		...{ since: from, closedOnly: !reversed.wasInterim },
		// Overage is billed by the next bill, as after every change.
		isDue: ({ charge }) => !charge.isOverage,
	});
	const counted = found.windows.map((one) => {
		const then = workAtEnd(work, one.window.end);
		return { one, terms: termsOfBill(then, row, billAt(reversed.bills, one.window.start)) };
	});
	const sections = [...Map.groupBy(counted, ({ terms }) => JSON.stringify(terms)).values()].flatMap((alike) => {
		const items = usageItems(alike.map(({ one }) => one));
		return items.length === 0 || !alike[0] ? [] : [{ ...alike[0].terms, items }];
	});
	const keys = new Set(found.windows.map(chargeKeyOf));
	// Late usage of earlier windows is billed at the former prices.
	return {
		sections,
		counted: { ...found, late: [], marks: found.marks.filter((mark) => keys.has(chargeKeyOf(mark))) },
	};
}
