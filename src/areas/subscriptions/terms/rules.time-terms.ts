import { fail } from "../../../kernel/errors";
import { storedCommitments } from "../../pricing/commitments/rules.spend-commitment";
import { assertAnchor, assertAnchorFits } from "../../pricing/rules.billing-anchor";
import { type BillingPeriod, intervalOf } from "../../pricing/rules.billing-period";
import { assertThresholds } from "../../pricing/rules.spend-thresholds";
import type { BillingAnchor } from "../../pricing/schema.billing-anchor";
import { isBilledHere } from "../rules.due";
import type { SubscriptionProvision } from "../schema.provision";
import type { SubscriptionRow } from "../table";

const ofPeriods = [
	"includesChildUsage",
	"prorationMode",
	"billingAnchor",
	"timeZone",
	"phases",
	"term",
	"spendThresholds",
	"commitments",
] as const;

/**
 * Throws UnsupportedParameter for terms of billing periods and of usage where Tollgate charges none: a free plan, and a
 * subscription that a contract bills. Null removes a term and is allowed. Throws BadUserInput for two thresholds in one
 * currency, and for two commitments of one currency and scope.
 */
export function assertChargesPeriods(
	input: { readonly [Name in (typeof ofPeriods)[number]]?: SubscriptionProvision[Name] | null | undefined },
	row: Pick<SubscriptionRow, "pricingType" | "paymentCollectionMethod">,
	where = "body",
): void {
	if (input.spendThresholds) assertThresholds(input.spendThresholds, `${where}/spendThresholds`);
	if (input.commitments) storedCommitments(input.commitments, `${where}/commitments`);
	const stated = ofPeriods.find(
		(name) => input[name] != null && input[name] !== false && !Bun.deepEquals(input[name], []),
	);
	if (stated === undefined || isBilledHere(row)) return;
	const why = row.pricingType === "FREE" ? "a FREE plan charges nothing" : "a contract bills this subscription";
	throw fail("UnsupportedParameter", `${where}/${stated}: ${why}; leave it out.`);
}

interface Requested {
	readonly billingAnchor?: BillingAnchor | null | undefined;
	readonly billingCycleAnchor?: "UNCHANGED" | "NOW" | undefined;
}

/** Throws BadUserInput for an anchor with missing or unneeded parts, or with another way to choose one. */
export function assertAnchorTerms(
	{ billingAnchor, billingCycleAnchor }: Requested,
	billingPeriod: BillingPeriod | null,
	where = "body",
): void {
	if (!billingAnchor) return;
	const place = `${where}/billingAnchor`;
	if (billingCycleAnchor === "NOW")
		throw fail("BadUserInput", `${place}: 'billingCycleAnchor' NOW is an anchor too; leave one of them out.`);
	assertAnchor(billingAnchor, place);
	if (billingPeriod !== null) assertAnchorFits(billingAnchor, [intervalOf(billingPeriod)], place);
}
