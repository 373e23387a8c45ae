import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { getOwnEnvironment } from "../../access/operations";
import type { ChargeItem } from "../../pricing/rate";
import { intervalOf } from "../../pricing/rules.billing-period";
import type { SubscriptionRow } from "../table";
import { type ChargeTerms, chargesInAdvance, chargesInArrears } from "./charge-items";
import { isInArrears } from "./prices";
import type { Sale } from "./sale";

type Terms = Pick<SubscriptionRow, "minimumSpend" | "prorationMode" | "timeZone">;

/** Returns what a subscription charges in advance of a period, each item with its proration. */
export const itemsInAdvance = (work: Work, row: Terms, sale: Sale, period: Period): ChargeItem[] =>
	chargesInAdvance(chargeTermsOf(work, row, sale), period);

/** Returns what a subscription charges at the end of a period, each item with its proration. */
export const itemsInArrears = (work: Work, row: Terms, sale: Sale, period: Period): ChargeItem[] =>
	sale.prices.some(isInArrears) ? chargesInArrears(chargeTermsOf(work, row, sale), period) : [];

const chargeTermsOf = (work: Work, { minimumSpend, prorationMode, timeZone }: Terms, sale: Sale): ChargeTerms => ({
	...sale,
	minimumSpend,
	proration: {
		own: prorationMode,
		ofPlan: sale.phase?.charges?.requested.prorationMode ?? sale.plan.prorationMode,
		ofEnvironment: getOwnEnvironment(work).prorationMode,
		unit: sale.billingPeriod === null ? "MONTH" : intervalOf(sale.billingPeriod).unit,
		...(timeZone !== null && { timeZone }),
	},
});
