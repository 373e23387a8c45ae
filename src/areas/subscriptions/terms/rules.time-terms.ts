import { fail } from "../../../kernel/errors";
import { isBilledHere } from "../rules.due";
import type { SubscriptionProvision } from "../schema.provision";
import type { SubscriptionRow } from "../table";

const ofPeriods = ["prorationMode"] as const;

/**
 * Throws UnsupportedParameter for terms of billing periods where Tollgate charges none: a free plan, and a subscription
 * that a contract bills. Null removes a term and is allowed.
 */
export function assertChargesPeriods(
	input: { readonly [Name in (typeof ofPeriods)[number]]?: SubscriptionProvision[Name] | null | undefined },
	row: Pick<SubscriptionRow, "pricingType" | "paymentCollectionMethod">,
	where = "body",
): void {
	const stated = ofPeriods.find((name) => input[name] != null);
	if (stated === undefined || isBilledHere(row)) return;
	const why = row.pricingType === "FREE" ? "a FREE plan charges nothing" : "a contract bills this subscription";
	throw fail("UnsupportedParameter", `${where}/${stated}: ${why}; leave it out.`);
}
