import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { chargesOfVersions } from "../../packages/operations";
import type { BillingPeriod } from "../../packages/schema";
import type { VersionRow } from "../../packages/table";
import { billingAnchorFrom } from "../billing/first-period";
import { grantRecurringCredits } from "../credits/hand-out";
import { billingPeriodContaining } from "../rules";
import type { ChargeSelection } from "../schema.provision";
import type { SubscriptionRow } from "../table";
import { applySale } from "../terms/apply-sale";
import { decideSale, type SaleRequest } from "../terms/decide-sale";
import { loadSaleContext } from "../terms/load-sale-context";
import type { Sale } from "../terms/sale";
import { selectQuantities } from "../terms/store";
import { insertVersionChange } from "../terms/store.version-changes";
import { subscribedItems } from "../terms/subscription-sale";

/**
 * Moves a running subscription to another version of its plan, or of an addon that it holds; addons, units, prices of its
 * own, period and country stay. Entitlements follow at once; prices with the next billing period, so nothing is invoiced
 * here (our choice: what a period costs is agreed when it begins). Usage is counted on: a version is no change of plan.
 * Throws the codes of a sale if the subscription cannot be sold on the version: a period without a price, a quantity out of bounds, an
 * addon that does not fit, a price override with nothing to override.
 */
export function moveToVersion(work: Work, subscription: SubscriptionRow, target: VersionRow): SubscriptionRow {
	const held = subscribedItems(work, subscription);
	const former = held.versions.find(({ packageId }) => packageId === target.packageId);
	assert(former, "a subscription holds what it is moved from");
	const versions = held.versions.map((version) => (version === former ? target : version));
	const sale = saleOn(work, subscription, { ...held, versions });
	insertVersionChange(work, {
		subscriptionId: subscription.id,
		packageId: target.packageId,
		fromVersionId: former.id,
		toVersionId: target.id,
		pricesFrom: pricesFrom(work, subscription),
	});
	const moved = applySale(work, subscription, sale, billingAfter(work, subscription, sale.billingPeriod));
	return grantRecurringCredits(work, moved);
}

/** The same things sold on other versions; the codes of a sale. */
export function saleOn(
	work: Work,
	subscription: SubscriptionRow,
	{ versions, addons, charges }: ReturnType<typeof subscribedItems>,
): Sale {
	const plan = versions.find(({ kind }) => kind === "PLAN");
	assert(plan, "a subscription has a plan");
	const requested: SaleRequest = {
		planId: plan.refId,
		addons,
		charges: stillSold(work, subscription, versions, charges),
		billingPeriod: subscription.billingPeriod ?? undefined,
		prices: { country: subscription.billingCountryCode },
		priceOverrides: subscription.priceOverrides,
		heldVersions: versions,
	};
	return decideSale(loadSaleContext(work, requested), requested);
}

/**
 * Units that the new versions no longer sell are no longer held: what was bought by the unit is then part of the package, or
 * gone from it. `charges` are the subscription's quantities, in their order.
 */
function stillSold(
	work: Work,
	{ id, billingPeriod }: SubscriptionRow,
	versions: readonly VersionRow[],
	charges: readonly ChargeSelection[],
): ChargeSelection[] {
	const versionIds = versions.map((version) => version.id);
	const prices = [...chargesOfVersions(work, versionIds).values()].flat();
	const sold = new Set(
		prices
			.filter((price) => price.billingModel === "PER_UNIT" && !price.isOverage)
			.filter((price) => billingPeriod === null || price.billingPeriod === billingPeriod)
			.map((price) => price.featureId ?? price.topUpCurrencyId),
	);
	const quantities = selectQuantities(work, [id]);
	return charges.filter((_, at) => sold.has(quantities[at]?.featureId ?? quantities[at]?.currencyId ?? null));
}

/** The period that runs was agreed on the old terms; where nothing was charged, the new ones hold from now on. */
function pricesFrom({ now }: Work, { billingPeriod, billingAnchorAt }: SubscriptionRow): Instant {
	if (billingPeriod === null || billingAnchorAt === null) return now;
	return billingPeriodContaining(billingAnchorAt, billingPeriod, now).end;
}

/** What begins to be charged is charged from now on; what is no longer charged has no periods. */
function billingAfter(work: Work, subscription: SubscriptionRow, billingPeriod: BillingPeriod | null) {
	const { now } = work;
	if (billingPeriod === subscription.billingPeriod) return {};
	if (billingPeriod === null) return { billingPeriod, billingAnchorAt: null, billedUntil: null, charged: null };
	return { billingPeriod, billingAnchorAt: billingAnchorFrom(work, now), billedUntil: now, usageBilledFrom: now };
}
