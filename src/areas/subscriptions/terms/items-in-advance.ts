import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { getOwnEnvironment } from "../../access/operations";
import type { ChargeItem } from "../../pricing/rate";
import { intervalOf } from "../../pricing/rules.billing-period";
import type { SubscriptionRow } from "../table";
import { billInAdvance } from "./charge-items";
import type { Sale } from "./sale";

type Terms = Pick<SubscriptionRow, "minimumSpend" | "prorationMode" | "timeZone">;

/** Returns what a subscription charges in advance of a period, each item with its proration. */
export const itemsInAdvance = (
	work: Work,
	{ minimumSpend, prorationMode, timeZone }: Terms,
	sale: Sale,
	period: Period,
): ChargeItem[] =>
	billInAdvance(
		{
			...sale,
			minimumSpend,
			proration: {
				own: prorationMode,
				ofPlan: sale.plan.prorationMode,
				ofEnvironment: getOwnEnvironment(work).prorationMode,
				unit: sale.billingPeriod === null ? "MONTH" : intervalOf(sale.billingPeriod).unit,
				...(timeZone !== null && { timeZone }),
			},
		},
		period,
	);
