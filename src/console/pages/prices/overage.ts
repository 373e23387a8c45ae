import type { Charge, OveragePricingModel } from "../../../areas/packages/charges/schema";
import type { PackageEntitlement } from "../../../areas/packages/entitlements/schema";
import type { ResetPeriod } from "../../../areas/packages/schema";
import { pricePeriodOf, without } from "./model";

/** Overage as the form edits it. Its price is monthly, like usage, for yearly customers too. */
export interface OpenOverage {
	readonly featureId?: string | undefined;
	readonly limit?: number | undefined;
	readonly resetPeriod?: ResetPeriod | undefined;
	readonly amount?: number | undefined;
	readonly blockSize?: number | undefined;
	/** Kept as they are. */
	readonly key?: string | undefined;
	readonly taxes?: readonly string[] | null | undefined;
	readonly minimumAmount?: number | undefined;
	readonly maximumAmount?: number | undefined;
}

/** Overage with prices by country cannot be edited and is sent back unchanged. */
export type EditedOverage = { readonly open: OpenOverage } | { readonly kept: OveragePricingModel };

/** Returns the limit of a feature, beyond which overage begins. */
export function limitOf(
	entitlements: readonly PackageEntitlement[],
	featureId: string,
): Pick<OpenOverage, "limit" | "resetPeriod"> {
	const found = entitlements.find(({ id }) => id === featureId);
	if (found?.type !== "FEATURE") return {};
	return { limit: found.usageLimit ?? undefined, resetPeriod: found.resetPeriod ?? undefined };
}

/** Returns undefined where the form cannot represent the overage: overage of credits, and overage that is not monthly. */
export function editedOverageOf(
	charges: readonly Charge[],
	entitlements: readonly PackageEntitlement[],
): EditedOverage[] | undefined {
	if (charges.some(({ featureId, billingPeriod }) => !featureId || billingPeriod !== "MONTHLY")) return undefined;
	const byFeature = Map.groupBy(charges.toReversed(), ({ featureId }) => featureId ?? "");
	return [...byFeature].map(([featureId, alike]) => {
		const periods = alike.map(pricePeriodOf);
		const { key, taxes } = alike[0] ?? {};
		// The form shows one amount; prices by country or in further currencies stay as they are.
		if (periods.length > 1 || periods.some(({ billingCountryCode }) => billingCountryCode))
			return { kept: { billingModel: "USAGE_BASED", featureId, ...without({ key, taxes }), pricePeriods: periods } };
		const { price, blockSize, minimumAmount, maximumAmount } = periods[0] ?? {};
		const terms = { blockSize, key, taxes, minimumAmount, maximumAmount };
		return { open: { featureId, ...limitOf(entitlements, featureId), amount: price?.amount, ...terms } };
	});
}

/** Returns the body of the API. The limit becomes the limit of the plan. */
export function overageModelOf(overage: EditedOverage, currency: string): OveragePricingModel {
	if ("kept" in overage) return overage.kept;
	const { featureId, limit: usageLimit, resetPeriod, amount, blockSize, key, taxes, ...bounds } = overage.open;
	const { minimumAmount, maximumAmount } = bounds;
	return {
		billingModel: "USAGE_BASED",
		...without({ key, taxes }),
		...(featureId && {
			featureId,
			entitlement: { featureId, hasUnlimitedUsage: false, ...without({ usageLimit, resetPeriod }) },
		}),
		pricePeriods:
			amount === undefined
				? []
				: [
						{
							billingPeriod: "MONTHLY",
							price: { amount, currency },
							...without({ blockSize, minimumAmount, maximumAmount }),
						},
					],
	};
}
