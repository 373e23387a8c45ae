import { toDecimal, toWire } from "../../kernel/decimal";
import type { OveragePricingModel, PackageCharges } from "../packages/charges/schema";
import type { PackageEntitlementsCreate } from "../packages/entitlements/schema";
import { resetOf } from "../packages/rules";
import { unfoldReset } from "./rules.charges";
import { byText, stated, textOrNull } from "./rules.omit-empty";
import { overageFeature } from "./rules.price-rows";

export type CatalogueEntitlement = PackageEntitlementsCreate["entitlements"][number];
type FeatureEntitlement = Extract<CatalogueEntitlement, { type: "FEATURE" }>;
type CreditEntitlement = Extract<CatalogueEntitlement, { type: "CREDIT" }>;

/**
 * Returns the canonical form of entitlements: sorted by type and id, defaults omitted. Overage prices soften the limit of their
 * entitlement and may state the entitlement. Both are included here, as when the prices are set.
 */
export function canonicalEntitlements(
	entitlements: readonly CatalogueEntitlement[],
	charges: PackageCharges,
): CatalogueEntitlement[] {
	const byKey = new Map<string, CatalogueEntitlement>();
	for (const entitlement of entitlements) byKey.set(keyOf(entitlement), canonicalEntitlement(entitlement));
	for (const model of charges.overagePricingModels ?? []) {
		const soft = softened(byKey, model);
		if (soft) byKey.set(keyOf(soft), canonicalEntitlement(soft));
	}
	return [...byKey.entries()].sort(([one], [other]) => byText(one, other)).map(([, entitlement]) => entitlement);
}

/** Sorts features first. */
const keyOf = ({ type, id }: CatalogueEntitlement): string => `${type === "FEATURE" ? 0 : 1} ${id}`;

/** Returns the entitlement whose limit or balance the overage price exceeds, as it is after the price is set. */
function softened(
	byKey: ReadonlyMap<string, CatalogueEntitlement>,
	model: OveragePricingModel,
): CatalogueEntitlement | undefined {
	const { currencyId, entitlement, creditEntitlement } = model;
	if (currencyId !== undefined) {
		const granted = byKey.get(keyOf({ type: "CREDIT", id: currencyId, amount: null, cadence: "MONTH" }));
		if (granted) return { ...granted, hasSoftLimit: true };
		if (!creditEntitlement) return undefined;
		const { amount, cadence } = creditEntitlement;
		return { type: "CREDIT", id: currencyId, amount, cadence, hasSoftLimit: true };
	}
	const id = overageFeature(model);
	if (id === null) return undefined;
	const granted = byKey.get(keyOf({ type: "FEATURE", id }));
	const { featureId: _, ...limit } = entitlement ?? { featureId: id };
	if (granted?.type !== "FEATURE") return { type: "FEATURE", id, ...limit, hasSoftLimit: true };
	// A new period has its own anchor. The same period keeps its anchor unless another is named.
	const keepsReset = limit.resetPeriod === undefined || limit.resetPeriod === granted.resetPeriod;
	return {
		...withoutAnchors(granted),
		...withoutAnchors(limit),
		...(keepsReset && namedAnchors(granted)),
		...namedAnchors(limit),
		hasSoftLimit: true,
	};
}

type Anchors = Pick<
	FeatureEntitlement,
	"yearlyResetPeriodConfiguration" | "monthlyResetPeriodConfiguration" | "weeklyResetPeriodConfiguration"
>;

function withoutAnchors<T extends Anchors>(terms: T) {
	const {
		yearlyResetPeriodConfiguration: _y,
		monthlyResetPeriodConfiguration: _m,
		weeklyResetPeriodConfiguration: _w,
		...rest
	} = terms;
	return rest;
}

/** Returns the anchors that are named. A configuration without an anchor changes none. */
function namedAnchors(terms: Anchors): Anchors {
	const yearly = terms.yearlyResetPeriodConfiguration;
	const monthly = terms.monthlyResetPeriodConfiguration;
	const weekly = terms.weeklyResetPeriodConfiguration;
	return {
		...(yearly?.accordingTo && { yearlyResetPeriodConfiguration: yearly }),
		...(monthly?.accordingTo && { monthlyResetPeriodConfiguration: monthly }),
		...(weekly?.accordingTo && { weeklyResetPeriodConfiguration: weekly }),
	};
}

const display = (entitlement: CatalogueEntitlement) => ({
	displayNameOverride: entitlement.displayNameOverride,
	description: textOrNull(entitlement.description),
	order: entitlement.order === undefined ? null : toWire(toDecimal(entitlement.order)),
	hiddenFromWidgets: entitlement.hiddenFromWidgets?.length ? entitlement.hiddenFromWidgets.toSorted(byText) : null,
	isCustom: entitlement.isCustom,
	isGranted: entitlement.isGranted === false ? false : null,
	behavior: entitlement.behavior === "Override" ? ("Override" as const) : null,
});

const canonicalEntitlement = (entitlement: CatalogueEntitlement): CatalogueEntitlement =>
	entitlement.type === "FEATURE"
		? stated<FeatureEntitlement>({
				type: "FEATURE",
				id: entitlement.id,
				usageLimit: entitlement.usageLimit,
				hasUnlimitedUsage: entitlement.hasUnlimitedUsage,
				hasSoftLimit: entitlement.hasSoftLimit,
				enumValues: entitlement.enumValues?.length ? entitlement.enumValues.toSorted(byText) : null,
				...unfoldReset(resetOf(entitlement)),
				...display(entitlement),
			})
		: {
				type: "CREDIT",
				id: entitlement.id,
				// Present even if null, because the wire requires it.
				amount: entitlement.amount,
				...stated<Omit<CreditEntitlement, "type" | "id" | "amount">>({
					cadence: entitlement.cadence,
					dependencyFeatureId: entitlement.dependencyFeatureId,
					hasSoftLimit: entitlement.hasSoftLimit ? true : null,
					...display(entitlement),
				}),
			};
