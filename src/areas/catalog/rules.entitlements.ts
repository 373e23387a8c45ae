import { toDecimal, toWire } from "../../kernel/decimal";
import type { OveragePricingModel, PackageCharges } from "../packages/charges/schema";
import type { PackageEntitlementsCreate } from "../packages/entitlements/schema";
import { resetOf } from "../packages/rules";
import { overageFeature, unfoldReset } from "./rules.charges";
import { byText, stated, textOrNull } from "./rules.omit-empty";

export type CatalogueEntitlement = PackageEntitlementsCreate["entitlements"][number];
type FeatureEntitlement = Extract<CatalogueEntitlement, { type: "FEATURE" }>;
type CreditEntitlement = Extract<CatalogueEntitlement, { type: "CREDIT" }>;

/**
 * What a package grants, written down in its one way: sorted by type and id, defaults left out. Overage prices make the
 * entitlement they go beyond a soft one, and may state it; both are folded in here, as setting the prices does.
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

/** Features first. */
const keyOf = ({ type, id }: CatalogueEntitlement): string => `${type === "FEATURE" ? 0 : 1} ${id}`;

/** The entitlement whose limit or balance an overage price begins at, as it is once that price is set. */
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
	// Another period begins with its own anchor; the same keeps the one it has unless another is named.
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

/** A reset configuration that names no anchor changes none. */
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
				// It stays also when it is null: the wire asks for it.
				amount: entitlement.amount,
				...stated<Omit<CreditEntitlement, "type" | "id" | "amount">>({
					cadence: entitlement.cadence,
					dependencyFeatureId: entitlement.dependencyFeatureId,
					hasSoftLimit: entitlement.hasSoftLimit ? true : null,
					...display(entitlement),
				}),
			};
