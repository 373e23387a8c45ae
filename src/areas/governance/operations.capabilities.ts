import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { currenciesByIds, findCurrency } from "../currencies/operations";
import { featuresByIds, findFeature, listMeters } from "../features/operations";
import { addsUp } from "../features/rules";
import type { FeatureRow } from "../features/table";
import type { UnitTransformation } from "../pricing/unit-conversion";
import type { AssignmentItem } from "./schema";
import type { Capability } from "./table";

/** The feature or currency of a budget, by its row id. */
export interface CapabilityOf {
	readonly capability: Capability;
	readonly capabilityId: string;
}

/** Throws BadUserInput for both or neither, FeatureNotFound, CustomCurrencyNotFound, and UnsupportedFeatureType. */
export function getCapability(
	work: Work,
	{ featureId, currencyId }: Pick<AssignmentItem, "featureId" | "currencyId">,
	where: string,
): CapabilityOf {
	if ((featureId === undefined) === (currencyId === undefined))
		throw fail("BadUserInput", `${where}: give exactly one of 'featureId' and 'currencyId'.`);
	if (featureId === undefined) {
		const currency = findCurrency(work, currencyId ?? "");
		if (currency) return { capability: "CURRENCY", capabilityId: currency.id };
		throw fail(
			"CustomCurrencyNotFound",
			`${where}/currencyId: there is no active custom currency '${currencyId}' in this environment; create it first.`,
		);
	}
	const feature = findFeature(work, featureId);
	if (!feature)
		throw fail(
			"FeatureNotFound",
			`${where}/featureId: there is no feature '${featureId}' in this environment; create it first.`,
		);
	assertCounted(work, feature, where);
	return { capability: "FEATURE", capabilityId: feature.id };
}

/** Budgets of features count usage that adds up (docs/interface/governance.md). */
function assertCounted(work: Work, feature: FeatureRow, where: string): void {
	const { id, refId, meterType } = feature;
	const meter = meterType === "INCREMENTAL" ? listMeters(work).find(({ featureId }) => featureId === id) : undefined;
	if (meter ? addsUp(meter.aggregation) : meterType === "INCREMENTAL") return;
	throw fail(
		"UnsupportedFeatureType",
		`${where}/featureId: '${refId}' cannot have budgets; they need an INCREMENTAL feature whose usage is reported, or counted by a COUNT or SUM meter.${meter ? " Use a budget of the currency that the feature costs." : ""}`,
	);
}

/** Returns the caller's ids of features and currencies by row id. */
export function capabilityRefs(work: Work, capabilities: Iterable<CapabilityOf>): Map<string, string> {
	// Read once: some callers pass an iterator.
	const all = [...capabilities];
	const ids = (wanted: Capability) => [
		...new Set(all.flatMap((one) => (one.capability === wanted ? one.capabilityId : []))),
	];
	const rows = [...featuresByIds(work, ids("FEATURE")).values(), ...currenciesByIds(work, ids("CURRENCY")).values()];
	return new Map(rows.map(({ id, refId }) => [id, refId]));
}

/** Returns the conversion of reported units into the units of a capability's limits; null for currencies. */
export const findUnits = (work: Work, capabilityId: string): UnitTransformation | null =>
	featuresByIds(work, [capabilityId]).get(capabilityId)?.unitTransformation ?? null;
