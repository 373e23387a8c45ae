import { assert, fail } from "../../../kernel/errors";
import { requestedPeriod } from "../../pricing/requested-period";
import { type BillingPeriod, isWholeMonths, periodOf, periodText } from "../../pricing/rules.billing-period";
import { modelPath, periodPath, refuse } from "../rules.field-paths";
import type { PackageCharges, PricePeriod } from "./schema";

/** Returns the billing period of a row, which the schema requires. Throws BadUserInput, as `requestedPeriod`. */
export function periodIn(where: string, row: Pick<PricePeriod, "billingPeriod" | "billingInterval">): BillingPeriod {
	const period = requestedPeriod(row, where);
	assert(period, "a price names its billing period");
	return period;
}

/** Returns how often a row is charged, if that is not each of its billing periods. */
export function chargeIntervalIn(
	where: string,
	row: Pick<PricePeriod, "billingPeriod" | "billingInterval" | "chargeInterval">,
): BillingPeriod | undefined {
	if (!row.chargeInterval) return undefined;
	const interval = periodOf(row.chargeInterval);
	return interval === periodIn(where, row) ? undefined : interval;
}

/** Throws for a period that `requestedPeriod` refuses, and for monthly credits within a period that has no months. */
export function assertBillingPeriods(where: string, pricePeriods: readonly PricePeriod[]): void {
	pricePeriods.forEach((row, at) => {
		const place = periodPath(where, at);
		const period = periodIn(place, row);
		if (row.creditGrantCadence === "MONTHLY" && !isWholeMonths(period))
			throw fail(
				"UnsupportedParameter",
				`${place}: 'creditGrantCadence' MONTHLY needs a billing period of whole months; choose BEGINNING_OF_BILLING_PERIOD.`,
			);
	});
}

/** Throws UnsupportedParameter if overage is billed by the month, and a billing period has no months. */
export function assertMonthsForOverage(charges: PackageCharges): void {
	const { pricingModels = [], overagePricingModels = [], overageBillingPeriod } = charges;
	if (overageBillingPeriod !== "MONTHLY") return;
	const byDays = [...pricingModels, ...overagePricingModels]
		.flatMap(({ pricePeriods }) => pricePeriods)
		.map((row) => periodIn("charges", row))
		.find((period) => !isWholeMonths(period));
	if (byDays === undefined) return;
	throw fail(
		"UnsupportedParameter",
		`charges: 'overageBillingPeriod' MONTHLY needs billing periods of whole months, and a price is ${periodText(byDays)}; choose ON_SUBSCRIPTION_RENEWAL.`,
	);
}

/** Throws if pay-as-you-go prices are billed by the year. They are billed at the end of each month, even if the year is paid in advance. */
export function assertUsageNotBilledYearly({ pricingModels = [] }: PackageCharges): void {
	pricingModels.forEach(({ billingModel, pricePeriods }, modelAt) => {
		const yearly = pricePeriods.findIndex(
			(period) => periodIn("charges", period) === "ANNUALLY" && !chargeIntervalIn("charges", period),
		);
		if (billingModel === "USAGE_BASED" && yearly !== -1)
			throw refuse(
				periodPath(modelPath("pricingModels", modelAt), yearly),
				"is ANNUALLY, but usage is billed each month; price it MONTHLY: that holds for yearly customers too. Or give it a 'chargeInterval'.",
			);
	});
}
