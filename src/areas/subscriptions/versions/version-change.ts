import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { chargesOfVersions } from "../../packages/operations";
import { pricesOfPhases } from "../../packages/rules.phases";
import type { VersionRow } from "../../packages/table";
import { intervalOf } from "../../pricing/rules.billing-period";
import { chargedColumns } from "../billing/charged";
import { cycleFrom } from "../billing/cycle";
import { grantRecurringCredits } from "../credits/grant-recurring";
import { billingPeriodAt, keptZoneOf } from "../rules";
import type { ChargeSelection } from "../schema.provision";
import type { SubscriptionRow } from "../table";
import { applySale } from "../terms/apply-sale";
import { decideSale, type SaleRequest } from "../terms/decide-sale";
import { keptCurrency } from "../terms/held-currency";
import { loadSaleContext } from "../terms/load-sale-context";
import { assertPoolable } from "../terms/poolable";
import { includesChildUsage } from "../terms/rules.child-usage";
import type { Sale } from "../terms/sale";
import { selectQuantities } from "../terms/store";
import { insertVersionChange } from "../terms/store.version-changes";
import { subscribedItems } from "../terms/subscription-sale";

/**
 * Moves an active subscription to another version of its plan or of one of its addons. Addons, units, price overrides,
 * period and country stay. Entitlements change at once, prices with the next billing period, since the price of the
 * current one is agreed; so nothing is invoiced here. Usage counting continues. Throws the codes of a sale if the
 * subscription cannot be sold on the version: no price for the period, a quantity out of bounds, an incompatible addon,
 * an override without a price, or a price that cannot count the usage of children, which the subscription includes.
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
	const moved = applySale(work, subscription, sale, billingAfter(work, subscription, sale));
	return grantRecurringCredits(work, moved);
}

/** Returns the sale of the same items on other versions. The codes of a sale. */
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
		prices: { country: subscription.billingCountryCode, currency: keptCurrency(work, subscription) },
		priceOverrides: subscription.priceOverrides,
		heldVersions: versions,
		phases: { stored: subscription.phases },
	};
	const sale = decideSale(loadSaleContext(work, requested), requested);
	if (includesChildUsage(subscription))
		assertPoolable(work, sale, `'includesChildUsage' of the subscription '${subscription.refId}'`);
	return sale;
}

/**
 * Drops units that the new versions no longer sell by the unit. `charges` are the subscription's quantities, in their
 * order.
 */
function stillSold(
	work: Work,
	{ id, billingPeriod, phases }: SubscriptionRow,
	versions: readonly VersionRow[],
	charges: readonly ChargeSelection[],
): ChargeSelection[] {
	const versionIds = versions.map((version) => version.id);
	const inPhases = versions.flatMap((version) => pricesOfPhases(phases ?? version.phases));
	const prices = [...[...chargesOfVersions(work, versionIds).values()].flat(), ...inPhases];
	const sold = new Set(
		prices
			.filter((price) => price.billingModel === "PER_UNIT" && !price.isOverage)
			.filter((price) => billingPeriod === null || price.billingPeriod === billingPeriod)
			.map((price) => price.featureId ?? price.topUpCurrencyId),
	);
	const quantities = selectQuantities(work, [id]);
	return charges.filter((_, at) => sold.has(quantities[at]?.featureId ?? quantities[at]?.currencyId ?? null));
}

/** New prices apply from the next period on, or from now on if nothing was charged. */
const pricesFrom = ({ now }: Work, row: SubscriptionRow): Instant => billingPeriodAt(row, now)?.end ?? now;

/** Starts billing periods if the new version has prices, and ends them if it has none. */
function billingAfter(work: Work, subscription: SubscriptionRow, { billingPeriod, plan }: Sale) {
	const { now } = work;
	if (billingPeriod === subscription.billingPeriod) return {};
	if (billingPeriod === null)
		return { billingPeriod, billingAnchorAt: null, billedUntil: null, ...chargedColumns(null) };
	const { anchorAt, timeZone } = cycleFrom(work, { ...subscription, timeZone: keptZoneOf(subscription) }, plan, {
		from: now,
		interval: intervalOf(billingPeriod),
	});
	return { billingPeriod, billingAnchorAt: anchorAt, timeZone, billedUntil: now, usageBilledFrom: now };
}
