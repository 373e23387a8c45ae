import { type Decimal, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { isMetered } from "../../features/rules";
import type { EnumConfigurationEntry, FeatureType, MeterType } from "../../features/schema";
import { namedAnchorOf, type Reset, resetOf } from "../rules";
import type { PackageKind } from "../schema";
import type { CreditEntitlementUpdate, FeatureEntitlementUpdate } from "./schema";

/** The fields of a feature that the rules need. */
export interface EntitledFeature {
	readonly id: string;
	readonly refId: string;
	readonly featureType: FeatureType;
	readonly meterType: MeterType;
	readonly enumConfiguration: readonly EnumConfigurationEntry[] | null;
}

/** Throws if a plan overrides. A plan's own grant is added to its base's grant; only addons may override (docs/interface/catalogue.md). */
export function assertBehaviorFits(where: string, kind: PackageKind, behavior: string | undefined): void {
	if (kind === "PLAN" && behavior === "Override")
		throw fail(
			"CannotAddOverrideEntitlementToPlan",
			`${where}: a plan's entitlement cannot be Override; use Increment.`,
		);
}

/**
 * Throws if the terms do not fit the feature: limits need a number, values need an enum, and resets need usage that accumulates.
 * `false` and empty values state nothing and fit every feature.
 */
export function assertTermsFit(
	where: string,
	feature: EntitledFeature,
	input: Omit<FeatureEntitlementUpdate, "type">,
): void {
	const { featureType, meterType, refId, enumConfiguration } = feature;
	if (featureType !== "NUMBER") {
		const limit = (["usageLimit", "hasUnlimitedUsage", "hasSoftLimit"] as const).find(
			(key) => input[key] !== undefined && input[key] !== null && input[key] !== false,
		);
		if (limit)
			throw fail(
				"UnsupportedFeatureType",
				`${where}: '${limit}' needs a NUMBER feature; '${refId}' is ${featureType}.`,
			);
	}
	if (input.enumValues && input.enumValues.length > 0) {
		if (featureType !== "ENUM")
			throw fail(
				"UnsupportedFeatureType",
				`${where}: 'enumValues' needs an ENUM feature; '${refId}' is ${featureType}.`,
			);
		const known = new Set(enumConfiguration?.map(({ value }) => value));
		const unknown = input.enumValues.find((value) => !known.has(value));
		if (unknown !== undefined)
			throw fail("BadUserInput", `${where}: '${unknown}' is no value of '${refId}'; it has ${[...known].join(", ")}.`);
	}
	if (input.resetPeriod === undefined) return;
	if (!isMetered(feature))
		throw fail(
			"MeteringNotAvailableForFeatureType",
			`${where}: feature '${refId}' counts no usage, so there is nothing for 'resetPeriod' to reset.`,
		);
	if (meterType === "FLUCTUATING")
		throw fail(
			"InvalidEntitlementResetPeriod",
			`${where}: feature '${refId}' goes up and down and never resets; 'resetPeriod' is for INCREMENTAL features.`,
		);
}

const orNull = <T>(value: T | undefined): T | null => value ?? null;
const decimalOrNull = (value: number | null | undefined): Decimal | null => (value == null ? null : toDecimal(value));

const displayOf = (input: Omit<FeatureEntitlementUpdate | CreditEntitlementUpdate, "type">) => ({
	description: orNull(input.description),
	displayNameOverride: orNull(input.displayNameOverride),
	// The defaults are granted and Increment (docs/interface/catalogue.md).
	isGranted: input.isGranted ?? true,
	isCustom: orNull(input.isCustom),
	displayOrder: orNull(input.order),
	hiddenFromWidgets: input.hiddenFromWidgets ?? [],
	behavior: input.behavior ?? ("Increment" as const),
});

const nothingOfCredits = { currencyId: null, amount: null, cadence: null, dependencyFeatureId: null } as const;
const nothingOfFeatures = {
	featureId: null,
	usageLimit: null,
	hasUnlimitedUsage: null,
	resetPeriod: null,
	resetAnchor: null,
	enumValues: null,
} as const;

/** Returns a complete feature entitlement, with defaults for missing fields. */
export const featureEntitlementOf = (feature: EntitledFeature, input: Omit<FeatureEntitlementUpdate, "type">) => ({
	type: "FEATURE" as const,
	...nothingOfCredits,
	featureId: feature.id,
	...displayOf(input),
	hasSoftLimit: orNull(input.hasSoftLimit),
	usageLimit: decimalOrNull(input.usageLimit),
	hasUnlimitedUsage: orNull(input.hasUnlimitedUsage),
	enumValues: orNull(input.enumValues),
	...resetOf(input),
});

/** Returns a complete credit entitlement, with defaults for missing fields. */
export const creditEntitlementOf = (
	currencyId: string,
	dependencyFeatureId: string | null,
	input: Omit<CreditEntitlementUpdate, "type" | "amount"> & { readonly amount?: number | null },
) => ({
	type: "CREDIT" as const,
	...nothingOfFeatures,
	currencyId,
	...displayOf(input),
	hasSoftLimit: input.hasSoftLimit ?? false,
	amount: decimalOrNull(input.amount),
	cadence: orNull(input.cadence),
	dependencyFeatureId,
});

/** Returns the reset after an update. The same period keeps its anchor unless the update names another one. */
function resetAfter(kept: Reset, patch: Omit<FeatureEntitlementUpdate, "type">): Reset {
	const resetPeriod = patch.resetPeriod ?? kept.resetPeriod ?? undefined;
	const input = { ...patch, resetPeriod };
	if (resetPeriod === kept.resetPeriod && namedAnchorOf(input) === undefined)
		return { resetPeriod: kept.resetPeriod, resetAnchor: kept.resetAnchor };
	return resetOf(input);
}

const displayChanges = (patch: Omit<FeatureEntitlementUpdate | CreditEntitlementUpdate, "type">) => ({
	...(patch.description !== undefined && { description: patch.description }),
	...(patch.displayNameOverride !== undefined && { displayNameOverride: patch.displayNameOverride }),
	...(patch.isGranted !== undefined && { isGranted: patch.isGranted }),
	...(patch.isCustom !== undefined && { isCustom: patch.isCustom }),
	...(patch.order !== undefined && { displayOrder: patch.order }),
	...(patch.hiddenFromWidgets !== undefined && { hiddenFromWidgets: patch.hiddenFromWidgets }),
	...(patch.behavior !== undefined && { behavior: patch.behavior }),
	...(patch.hasSoftLimit !== undefined && { hasSoftLimit: patch.hasSoftLimit }),
});

/** Returns the changes of a feature entitlement: only the sent fields. */
export const featureEntitlementChanges = (kept: Reset, patch: Omit<FeatureEntitlementUpdate, "type">) => ({
	...displayChanges(patch),
	...(patch.usageLimit !== undefined && { usageLimit: decimalOrNull(patch.usageLimit) }),
	...(patch.hasUnlimitedUsage !== undefined && { hasUnlimitedUsage: patch.hasUnlimitedUsage }),
	...(patch.enumValues !== undefined && { enumValues: patch.enumValues }),
	...resetAfter(kept, patch),
});

/** Returns the changes of a credit entitlement. `dependencyFeatureId` is a row id: null clears it, undefined keeps it. */
export const creditEntitlementChanges = (
	dependencyFeatureId: string | null | undefined,
	patch: Omit<CreditEntitlementUpdate, "type">,
) => ({
	...displayChanges(patch),
	...(patch.amount !== undefined && { amount: toDecimal(patch.amount) }),
	...(patch.cadence !== undefined && { cadence: patch.cadence }),
	...(dependencyFeatureId !== undefined && { dependencyFeatureId }),
});

/** Throws unless the feature is a number. Credits that scale with a feature use its usage limit, which only numbers have. */
export function assertDependencyFits(where: string, { refId, featureType }: EntitledFeature): void {
	if (featureType !== "NUMBER")
		throw fail(
			"UnsupportedFeatureType",
			`${where}: 'dependencyFeatureId' needs a NUMBER feature; '${refId}' is ${featureType}.`,
		);
}
