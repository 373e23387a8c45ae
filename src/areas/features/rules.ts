import { toDecimal } from "../../kernel/decimal";
import type { ErrorCode } from "../../kernel/error-codes";
import { fail } from "../../kernel/errors";
import type {
	BilledUsage,
	EnumConfigurationEntry,
	FeatureStatus,
	FeatureType,
	MeterAggregation,
	MeterCondition,
	MeterInput,
	MeterType,
	UnitTransformationInput,
} from "./schema";

interface Kind {
	readonly refId: string;
	readonly featureType: FeatureType;
	readonly meterType: MeterType;
}

export const isMetered = ({ featureType, meterType }: Omit<Kind, "refId">): boolean =>
	featureType === "NUMBER" && meterType !== "None";

/** Whether the results of a meter add up: the usage of all parts is the usage of the whole. */
export const addsUp = ({ function: name }: MeterAggregation): boolean => name === "COUNT" || name === "SUM";

/**
 * Throws if usage cannot be reported: MeteringNotAvailableForFeatureType if the feature is not metered,
 * CannotReportUsageForEntitlementWithMeterError if a meter counts it.
 */
export function assertReportable(feature: Kind, hasMeter: boolean): void {
	const { refId, featureType, meterType } = feature;
	if (!isMetered(feature))
		throw fail(
			"MeteringNotAvailableForFeatureType",
			`Feature '${refId}' is ${featureType === "NUMBER" ? `a NUMBER of meterType ${meterType}` : featureType} and counts no usage; only NUMBER features that are INCREMENTAL or FLUCTUATING do.`,
		);
	if (hasMeter)
		throw fail(
			"CannotReportUsageForEntitlementWithMeterError",
			`The usage of feature '${refId}' is counted by its meter out of events; send events, or make a feature without a meter.`,
		);
}

/** Throws unless a metered feature is a number (docs/interface/catalogue.md). */
export function assertMeterTypeFits({ refId, featureType, meterType }: Kind): void {
	if (meterType !== "None" && featureType !== "NUMBER")
		throw fail(
			"MeteringNotAvailableForFeatureType",
			`Feature '${refId}' is ${featureType} and cannot be ${meterType}; only NUMBER features are metered. Leave 'meterType' out.`,
		);
}

/** Throws unless an ENUM feature has values, each named once, and other features have none. */
export function assertEnumFits(
	refId: string,
	featureType: FeatureType,
	entries: readonly EnumConfigurationEntry[] | undefined,
): void {
	if (featureType !== "ENUM") {
		if (entries && entries.length > 0)
			throw fail(
				"UnsupportedFeatureType",
				`Feature '${refId}' is ${featureType}; only ENUM features have 'enumConfiguration'.`,
			);
		return;
	}
	if (!entries || entries.length === 0)
		throw fail("BadUserInput", `Feature '${refId}' is ENUM and needs at least one entry in 'enumConfiguration'.`);
	const values = entries.map(({ value }) => value);
	const twice = values.find((value, at) => values.indexOf(value) !== at);
	if (twice !== undefined) throw fail("BadUserInput", `'enumConfiguration' names the value '${twice}' twice.`);
}

/**
 * Returns the stored rule for billing the usage of a period; null is the default, the value at its end. Throws UnsupportedParameter
 * for a feature that is not FLUCTUATING: accumulating usage is billed by its sum.
 */
export function billedUsageOf({ refId, meterType }: Kind, input: BilledUsage): "TIME_WEIGHTED_AVERAGE" | null {
	if (meterType !== "FLUCTUATING")
		throw fail(
			"UnsupportedParameter",
			`Feature '${refId}' is not FLUCTUATING; 'billedUsage' is for what goes up and down, such as seats. Leave it out.`,
		);
	return input === "TIME_WEIGHTED_AVERAGE" ? input : null;
}

/** Returns the billed usage to show; null if it does not apply to the feature. */
export const shownBilledUsage = ({
	meterType,
	billedUsage,
}: Pick<Kind, "meterType"> & { readonly billedUsage: BilledUsage | null }): BilledUsage | null =>
	meterType === "FLUCTUATING" ? (billedUsage ?? "LAST_VALUE") : null;

/** The function of a meter decides how its usage is billed. */
export const weighedByMeter = (refId: string) =>
	fail(
		"UnsupportedParameter",
		`The usage of feature '${refId}' is counted by a meter, whose function calculates the total of a period; TIME_WEIGHTED_AVERAGE is for reported usage.`,
	);

/** Returns the unit transformation with an exact divisor. Usage is rounded up by default (docs/interface/catalogue.md). */
export function unitTransformationOf(feature: Kind, input: UnitTransformationInput | null) {
	if (input === null) return null;
	if (!isMetered(feature))
		throw fail(
			"MeteringNotAvailableForFeatureType",
			`Feature '${feature.refId}' counts no usage, so there is nothing for 'unitTransformation' to divide.`,
		);
	return {
		divide: toDecimal(input.divide),
		round: input.round ?? "UP",
		featureUnits: input.featureUnits ?? null,
		featureUnitsPlural: input.featureUnitsPlural ?? null,
	};
}

/** Our choice (docs/interface/catalogue.md#limits): every event is compared with all conditions of a meter. */
export const meterConditionsMax = 200;

/** Returns the stored fields of a meter: COUNT needs no field, every other function does, and PERCENTILE its percentile too. */
export function meterOf(feature: Kind, { aggregation, filters }: MeterInput) {
	if (!isMetered(feature))
		throw fail(
			"MeterMustBeAssociatedToMeteredFeature",
			`Feature '${feature.refId}' is not metered; a meter needs a NUMBER feature with meterType INCREMENTAL or FLUCTUATING.`,
		);
	const conditions = filters.reduce((sum, filter) => sum + filter.conditions.length, 0);
	if (conditions > meterConditionsMax)
		throw fail(
			"FeatureConfigurationExceededLimitError",
			`meter.filters: ${conditions} conditions are more than the ${meterConditionsMax} that a meter may have; IN takes many values in one.`,
		);
	filters.forEach((filter, group) => {
		filter.conditions.forEach((condition, at) => {
			assertCondition(condition, `meter.filters[${group}].conditions[${at}]`);
		});
	});
	return { aggregation: aggregationOf(aggregation), filters };
}

/** Drops the field of COUNT, which has no meaning. */
function aggregationOf({ function: name, field, percentile }: MeterAggregation): MeterAggregation {
	if (name !== "COUNT" && field === undefined)
		throw fail("BadUserInput", `meter.aggregation: ${name} needs 'field', the dimension to aggregate.`);
	if ((name === "PERCENTILE") !== (percentile !== undefined))
		throw fail(
			"BadUserInput",
			name === "PERCENTILE"
				? "meter.aggregation: PERCENTILE needs 'percentile', above 0 and up to 100."
				: `meter.aggregation: 'percentile' goes with PERCENTILE, not with ${name}; leave it out.`,
		);
	return {
		function: name,
		...(name !== "COUNT" && field !== undefined && { field }),
		...(percentile !== undefined && { percentile }),
	};
}

function assertCondition({ operation, value, values }: MeterCondition, where: string): void {
	switch (operation) {
		case "IS_NULL":
		case "IS_NOT_NULL":
			if (value !== undefined || values !== undefined)
				throw fail("BadUserInput", `${where}: ${operation} takes neither 'value' nor 'values'.`);
			return;
		case "IN":
			if (values === undefined || values.length === 0 || value !== undefined)
				throw fail("BadUserInput", `${where}: IN takes 'values', at least one, and no 'value'.`);
			return;
		case "GREATER_THAN":
		case "GREATER_THAN_OR_EQUAL":
		case "LESS_THAN":
		case "LESS_THAN_OR_EQUAL":
			if (value === undefined || !/^-?\d+(\.\d+)?$/.test(value) || values !== undefined)
				throw fail("BadUserInput", `${where}: ${operation} takes 'value', a decimal number as text.`);
			return;
		default:
			if (value === undefined || values !== undefined)
				throw fail("BadUserInput", `${where}: ${operation} takes 'value' and no 'values'.`);
	}
}

/** An action on a feature. `use`: a package grants or prices it. */
export type FeatureAction = "use" | "archive" | "unarchive";

interface Refusal {
	readonly code: ErrorCode;
	readonly because: string;
}

/**
 * The status after each action, or the reason of its rejection (docs/interface/catalogue.md). A repeated action changes
 * nothing. Unarchiving leads back to ACTIVE when any package ever used the feature, else to NEW.
 */
export const featureTransitions: Readonly<
	Record<FeatureStatus, Readonly<Record<FeatureAction, FeatureStatus | "NEW_OR_ACTIVE" | Refusal>>>
> = {
	NEW: { use: "ACTIVE", archive: "SUSPENDED", unarchive: "NEW" },
	ACTIVE: { use: "ACTIVE", archive: "SUSPENDED", unarchive: "ACTIVE" },
	SUSPENDED: {
		use: { code: "EntityIsArchivedError", because: "is archived; unarchive it before you entitle or price it" },
		archive: "SUSPENDED",
		unarchive: "NEW_OR_ACTIVE",
	},
};

interface Living {
	readonly refId: string;
	readonly status: FeatureStatus;
}

/** Returns the next status. Throws the error that the table names. Calls `wasUsed` only if the result depends on it. */
export function nextFeatureStatus(
	{ refId, status }: Living,
	action: FeatureAction,
	wasUsed: () => boolean,
): FeatureStatus {
	const next = featureTransitions[status][action];
	if (next === "NEW_OR_ACTIVE") return wasUsed() ? "ACTIVE" : "NEW";
	if (typeof next === "string") return next;
	throw fail(next.code, `Feature '${refId}' ${next.because}.`);
}

/** Throws if the feature is archived (suspended): existing entitlements keep it, but new ones cannot use it. */
export function assertFeatureUsable(feature: Living): void {
	nextFeatureStatus(feature, "use", () => true);
}
