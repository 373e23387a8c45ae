import { toDecimal } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds, currenciesByRefs } from "../../currencies/operations";
import { featuresByIds, featuresByRefs } from "../../features/operations";
import { subscriptionPhases } from "../../packages/charges/operations.phases";
import type { Phases } from "../../packages/charges/schema";
import { chargesOfVersions, getPublishedVersion } from "../../packages/operations";
import { type PhasePrice, pricesOfPhases, type StoredPhase } from "../../packages/rules.phases";
import type { PackageKind } from "../../packages/schema";
import type { ChargeRow, VersionRow } from "../../packages/table";
import { productsByIds } from "../../products/operations";
import type { ProductRow } from "../../products/table";
import { appliedTaxes } from "../../taxes/operations";
import type { ChargeSelection } from "../schema.provision";
import type { Names } from "./prices";
import type { PurchasedQuantity } from "./purchased-quantities";
import type { SoldVersions } from "./sale";

/** The items that a sale is requested with, by the caller's ids. */
export interface RequestedItems {
	readonly planId: string;
	readonly addons: readonly { readonly id: string; readonly quantity: number }[];
	readonly charges: readonly ChargeSelection[];
	/** Versions that the subscription already has. They are sold again, even if newer ones are published. */
	readonly heldVersions?: readonly VersionRow[];
	/** Phases in place of those of the plan, as they are stored, or as requested. Missing: those of the plan. */
	readonly phases?: { readonly stored: StoredPhase[] | null } | { readonly asked: Phases; readonly where: string };
}

/** The rows that a sale is decided from. `loadSaleContext` reads each of them once. */
export interface SaleContext extends SoldVersions {
	readonly product: ProductRow;
	/** By the version's row id. */
	readonly charges: ReadonlyMap<string, readonly ChargeRow[]>;
	readonly requestedUnits: readonly PurchasedQuantity[];
	readonly ownPhases: StoredPhase[] | null;
	readonly names: Names;
}

/** Throws PlanNotFound, AddonNotFound, UnPublishedPackage, FeatureNotFound, CustomCurrencyNotFound, and those of `subscriptionPhases`. */
export function loadSaleContext(
	work: Work,
	{ planId, addons, charges, heldVersions, phases }: RequestedItems,
): SaleContext {
	const versionOf = (kind: PackageKind, refId: string) =>
		heldVersions?.find((version) => version.kind === kind && version.refId === refId) ??
		getPublishedVersion(work, kind, refId);
	const plan = versionOf("PLAN", planId);
	const soldAddons = addons.map(({ id, quantity }) => ({ version: versionOf("ADDON", id), quantity }));
	const requestedUnits = requestedUnitsOf(work, charges);
	const product = productsByIds(work, [plan.productId]).get(plan.productId);
	assert(product, "a plan has a product");
	const versionIds = [plan, ...soldAddons.map(({ version }) => version)].map(({ id }) => id);
	const chargesByVersion = chargesOfVersions(work, versionIds);
	const ownPhases =
		phases && "asked" in phases ? subscriptionPhases(work, plan, phases.asked, phases.where) : (phases?.stored ?? null);
	const inPhases = pricesOfPhases(ownPhases ?? plan.phases);
	const names = namesIn(work, [...[...chargesByVersion.values()].flat(), ...inPhases], requestedUnits);
	return { product, plan, addons: soldAddons, charges: chargesByVersion, requestedUnits, ownPhases, names };
}

/** Names of all features and currencies that the charges and units refer to. */
export function namesIn(work: Work, charges: readonly PhasePrice[], units: readonly PurchasedQuantity[] = []): Names {
	const features = featuresByIds(work, present([...charges, ...units].map(({ featureId }) => featureId)));
	const currencies = currenciesByIds(
		work,
		present([...charges.map(({ topUpCurrencyId }) => topUpCurrencyId), ...units.map(({ currencyId }) => currencyId)]),
	);
	return {
		featureRef: (id) => features.get(id)?.refId ?? id,
		currencyRef: (id) => currencies.get(id)?.refId ?? id,
		featureName: (id) => features.get(id)?.displayName ?? id,
		featureUnits: (id) => features.get(id)?.featureUnitsPlural ?? null,
		currencyName: (id) => currencies.get(id)?.displayName ?? id,
		taxes: (refIds) => appliedTaxes(work, refIds) ?? [],
	};
}

const present = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];

function requestedUnitsOf(work: Work, charges: readonly ChargeSelection[]): PurchasedQuantity[] {
	const refsOf = (type: ChargeSelection["type"]) =>
		charges.filter((charge) => charge.type === type).map(({ id }) => id);
	const features = featuresByRefs(work, refsOf("FEATURE"));
	const currencies = currenciesByRefs(work, refsOf("CREDIT"));
	return charges.map(({ id, quantity, type }) => ({
		featureId: type === "FEATURE" ? (features.get(id)?.id ?? null) : null,
		currencyId: type === "CREDIT" ? (currencies.get(id)?.id ?? null) : null,
		quantity: toDecimal(quantity),
	}));
}
