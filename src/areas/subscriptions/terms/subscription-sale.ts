import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds } from "../../currencies/operations";
import { featuresByIds } from "../../features/operations";
import { chargesOfVersions, versionsByIds } from "../../packages/operations";
import { pricesOfPhases } from "../../packages/rules.phases";
import type { VersionRow } from "../../packages/table";
import { productsByIds } from "../../products/operations";
import type { ChargeSelection } from "../schema.provision";
import type { SubscriptionRow } from "../table";
import type { SubscriptionVersionChangeRow } from "../table.changes";
import type { SubscriptionAddonRow } from "../table.parts";
import { namesIn } from "./load-sale-context";
import { phasesOf, runningPhase } from "./phases";
import { effectivePrices, inPhase, type Sale, soldPackages, withUplifts } from "./sale";
import { selectAddons, selectQuantities } from "./store";
import { selectVersionChanges } from "./store.version-changes";

/**
 * Returns the items of a subscription as a sale, at the prices of an instant (default: now). A version that a
 * publication brought has its prices from the next period on. Nothing is checked: sold items stay sold, even if they
 * are archived.
 */
export function saleOf(work: Work, subscription: SubscriptionRow, at: Instant = work.now): Sale {
	const rows = selectAddons(work, [subscription.id]);
	const charged = chargedVersions(subscription, rows, selectVersionChanges(work, subscription.id), at);
	const versions = versionsByIds(work, [...new Set(charged.values())]);
	const versionOf = (packageId: string): VersionRow => {
		const version = versions.get(charged.get(packageId) ?? "");
		assert(version, "a subscription's versions exist");
		return version;
	};
	const plan = versionOf(subscription.planId);
	const addons = rows.map(({ addonId, quantity }) => ({ version: versionOf(addonId), quantity }));
	const product = productsByIds(work, [subscription.productId]).get(subscription.productId);
	assert(product, "a subscription has a product");
	const charges = chargesOfVersions(work, [...versions.keys()]);
	const purchased = selectQuantities(work, [subscription.id]);
	const inPhases = pricesOfPhases(phasesOf(subscription, plan));
	const names = namesIn(work, [...[...charges.values()].flat(), ...inPhases], purchased);
	const prices = effectivePrices(soldPackages({ plan, addons }, charges), subscription, names);
	const { billingPeriod, billingCountryCode, billingCurrency, phases: ownPhases } = subscription;
	const terms = { billingPeriod, billingCountryCode, billingCurrency, ownPhases };
	const sale = { product, plan, addons, ...terms, prices, purchased, names };
	return withUplifts(inPhase(sale, runningPhase(subscription, plan)), subscription.uplifts, at);
}

/** Returns the sale at the prices after all phases, by which changes of plan are compared. */
export const saleAfterPhases = (work: Work, subscription: SubscriptionRow): Sale =>
	saleOf(work, { ...subscription, phase: null });

/** Whether a move to another version changes the prices of a subscription at this instant. */
export const changesPrices = (work: Work, { id }: SubscriptionRow): boolean =>
	selectVersionChanges(work, id).some(({ pricesFrom }) => pricesFrom === work.now);

/**
 * Returns the version that is charged at an instant, by package: the former version until the prices of the new one
 * apply.
 */
function chargedVersions(
	{ planId, versionId }: SubscriptionRow,
	addons: readonly SubscriptionAddonRow[],
	changes: readonly SubscriptionVersionChangeRow[],
	at: Instant,
): Map<string, string> {
	const held = [{ packageId: planId, versionId }, ...addons.map((row) => ({ packageId: row.addonId, ...row }))];
	return new Map(
		held.map((one) => {
			const left = changes.find(({ packageId, pricesFrom }) => packageId === one.packageId && at < pricesFrom);
			return [one.packageId, left?.fromVersionId ?? one.versionId];
		}),
	);
}

/** Returns the items of a subscription in the terms of a request: its versions, addons and purchased units. */
export function subscribedItems(work: Work, { id, versionId }: SubscriptionRow) {
	const rows = selectAddons(work, [id]);
	const versions = versionsByIds(work, [versionId, ...rows.map((row) => row.versionId)]);
	const quantities = selectQuantities(work, [id]);
	const features = featuresByIds(
		work,
		quantities.flatMap(({ featureId }) => featureId ?? []),
	);
	const currencies = currenciesByIds(
		work,
		quantities.flatMap(({ currencyId }) => currencyId ?? []),
	);
	return {
		versions: [...versions.values()],
		addons: rows.map((row) => ({ id: versions.get(row.versionId)?.refId ?? "", quantity: row.quantity })),
		charges: quantities.map(
			({ featureId, currencyId, quantity }): ChargeSelection => ({
				id: (featureId === null ? currencies.get(currencyId ?? "") : features.get(featureId))?.refId ?? "",
				quantity: Number(quantity),
				type: featureId === null ? "CREDIT" : "FEATURE",
			}),
		),
	};
}
