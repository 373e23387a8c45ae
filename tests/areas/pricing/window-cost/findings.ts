import { checkRates } from "../../../../src/areas/invoices/check/operations.rates";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import type { Till } from "../../subscriptions/billing";

/** Returns the faults that `check --billing` finds. */
export const findings = ({ transactions, actor }: Till): string[] =>
	transactions.read(actor, (work) => [...checkRates(work), ...checkSubscriptionBills(work)]);
