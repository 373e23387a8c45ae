import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { type Interval, oneMonth, oneYear, periodContaining } from "../../../kernel/period";
import type { GrantSource } from "../../credits/schema.values";
import { type FeatureTerms, sourcesOf } from "../../entitlement-sources/rules.sources";
import type { CreditCadence, CreditGrantCadence } from "../../packages/schema";
import type { PackageEntitlementRow } from "../../packages/table";
import { type BillingPeriod, intervalOf } from "../../pricing/rules.billing-period";
import { type Cycle, recurrenceOf } from "../rules";
import type { SubscriptionEntitlementRow, SubscriptionQuantityRow } from "../table.parts";
import { countsUnits, type EffectivePrice } from "../terms/prices";
import { type PurchasedQuantity, unitsOf } from "../terms/purchased-quantities";

/** How often credits are granted: each month or year, counted from the billing anchor, or once. */
export type CreditCycle = CreditCadence | "ONCE" | BillingPeriod;

/** The credits of each cycle. */
export interface RecurringCredits {
	readonly currencyId: string;
	readonly sourceType: GrantSource;
	/** The caller's id of the addon; empty for the plan and for the subscription itself. */
	readonly addonRef: string;
	readonly cycle: CreditCycle;
	/** Greater than zero. */
	readonly amount: Decimal;
	/** The name of the package that grants or sells them. */
	readonly displayName: string;
}

/** A version of a subscription and its entitlements; a plan's include those of its base plan. */
export interface EntitledPackage {
	readonly refId: string;
	readonly displayName: string;
	readonly quantity: number;
	readonly entitlements: readonly PackageEntitlementRow[];
}

/** All entitlements of a subscription. */
export interface EntitledItems {
	readonly plan: EntitledPackage;
	readonly addons: readonly EntitledPackage[];
	readonly quantities: readonly SubscriptionQuantityRow[];
	/** The entitlements of the subscription itself. */
	readonly own: readonly SubscriptionEntitlementRow[];
}

/**
 * Returns the credits that entitlements grant: of plan, base plan, addons times their quantity, and the subscription's
 * own, added up. The largest of several overriding addons replaces the packages (docs/interface/catalogue.md).
 */
export function entitledCredits(held: EntitledItems): RecurringCredits[] {
	const { plan, addons, own } = held;
	const parts = Map.groupBy(
		[
			...plan.entitlements.flatMap((row) => partOf(held, row, plan, "PLAN_ENTITLEMENT")),
			...addons.flatMap((addon) => addon.entitlements.flatMap((row) => partOf(held, row, addon, "ADDON_ENTITLEMENT"))),
		],
		({ currencyId }) => currencyId,
	);
	const fromPackages = [...parts.values()].flatMap((those) => {
		const overrides = those.filter(({ isOverride }) => isOverride);
		return overrides.length === 0 ? those : [overrides.reduce((best, one) => (isMore(one, best) ? one : best))];
	});
	const ofItself = own.flatMap(({ currencyId, amount, cadence }): RecurringCredits[] =>
		currencyId === null || amount === null || cadence === null
			? []
			: [
					{
						currencyId,
						sourceType: "PLAN_ENTITLEMENT",
						addonRef: "",
						cycle: cadence,
						amount,
						displayName: plan.displayName,
					},
				],
	);
	return mergeEqual([...fromPackages.map(({ isOverride: _, ...part }) => part), ...ofItself]);
}

function partOf(
	held: EntitledItems,
	row: PackageEntitlementRow,
	{ refId, displayName, quantity }: EntitledPackage,
	sourceType: GrantSource,
): Array<RecurringCredits & { readonly isOverride: boolean }> {
	const { currencyId, amount, cadence } = row;
	if (currencyId === null || amount === null || cadence === null || !row.isGranted) return [];
	const isAddon = sourceType === "ADDON_ENTITLEMENT";
	const isOverride = isAddon && row.behavior === "Override";
	const times = isOverride ? 1 : quantity;
	return [
		{
			currencyId,
			sourceType,
			addonRef: isAddon ? refId : "",
			cycle: cadence,
			amount: toDecimal(
				exact(amount)
					.times(times)
					.times(exact(limitOf(held, row.dependencyFeatureId))),
			),
			displayName,
			isOverride,
		},
	];
}

/**
 * "Effective credits are `amount` times the usage limit of that feature" (docs/interface/catalogue.md): the largest
 * limit in the subscription.
 */
function limitOf({ plan, addons, quantities, own }: EntitledItems, featureId: string | null): Decimal {
	if (featureId === null) return "1" as Decimal;
	const about = <Row extends { featureId: string | null }>(rows: readonly Row[]) =>
		rows.filter((row) => row.featureId === featureId);
	const [ofItself] = about(own);
	const limits = sourcesOf<FeatureTerms>({
		plan: about(plan.entitlements),
		addons: addons.flatMap(({ quantity, entitlements }) =>
			about(entitlements).map((terms) => ({ terms, behavior: terms.behavior, quantity })),
		),
		purchased: about(quantities)[0]?.quantity ?? null,
		own: ofItself ? { ...ofItself, isGranted: true, enumValues: null } : null,
		usageAnchorAt: 0 as Instant,
		updatedAt: 0 as Instant,
	}).flatMap(({ usageLimit }) => usageLimit ?? []);
	return limits.reduce((most, limit) => (exact(limit).gt(exact(most)) ? limit : most), zero);
}

const isMore = (one: RecurringCredits, other: RecurringCredits): boolean => exact(one.amount).gt(exact(other.amount));

/** A price of credits that are bought by the unit. */
export type CreditPrice = EffectivePrice<
	EffectivePrice["charge"] & { readonly creditGrantCadence: CreditGrantCadence | null }
>;

/** Returns the credits that are bought by the unit: each cycle grants the quantity, for any billing period. */
export function boughtCredits(
	prices: readonly CreditPrice[],
	purchased: readonly PurchasedQuantity[],
	billingPeriod: BillingPeriod | null,
): RecurringCredits[] {
	return mergeEqual(
		prices.flatMap((price) => {
			const { charge, package: sold } = price;
			const amount = countsUnits(price) ? unitsOf(price, prices, purchased) : undefined;
			if (charge.topUpCurrencyId === null || amount === undefined) return [];
			return {
				currencyId: charge.topUpCurrencyId,
				sourceType: "PRICE" as const,
				addonRef: sold.isAddon ? sold.refId : "",
				cycle: cycleOf(charge, billingPeriod),
				amount,
				displayName: sold.displayName,
			};
		}),
	);
}

/** A one-time price grants once; a recurring price with each billing period, or each month if it says so. */
const cycleOf = (
	{ billingCadence, creditGrantCadence }: CreditPrice["charge"],
	billingPeriod: BillingPeriod | null,
): CreditCycle => {
	if (billingCadence === "ONE_OFF") return "ONCE";
	if (creditGrantCadence === "MONTHLY" || billingPeriod === null || billingPeriod === "MONTHLY") return "MONTH";
	return billingPeriod === "ANNUALLY" ? "YEAR" : billingPeriod;
};

/** Merges equal credits of one source into one grant. */
function mergeEqual(parts: readonly RecurringCredits[]): RecurringCredits[] {
	const alike = new Map<string, RecurringCredits>();
	for (const part of parts) {
		if (!exact(part.amount).gt(0)) continue;
		const known = alike.get(keyOf(part));
		alike.set(
			keyOf(part),
			known ? { ...known, amount: toDecimal(exact(known.amount).plus(exact(part.amount))) } : part,
		);
	}
	return [...alike.values()];
}

/** The attributes that identify credits across periods. */
export const keyOf = ({
	currencyId,
	sourceType,
	addonRef,
	cycle,
}: Pick<RecurringCredits, "currencyId" | "sourceType" | "addonRef" | "cycle">): string =>
	[currencyId, sourceType, addonRef, cycle].join("\n");

/** Returns the period of a cycle that contains an instant. One-time credits belong to one period without an end. */
export function creditPeriod(
	cycle: CreditCycle,
	from: Cycle,
	at: Instant,
): { readonly start: Instant; readonly end: Instant | null } {
	if (cycle === "ONCE") return { start: 0 as Instant, end: null };
	return periodContaining(recurrenceOf(from, intervalOfCycle(cycle)), at);
}

function intervalOfCycle(cycle: Exclude<CreditCycle, "ONCE">): Interval {
	if (cycle === "MONTH") return oneMonth;
	return cycle === "YEAR" ? oneYear : intervalOf(cycle);
}
