import { toDecimal } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type {
	EnumConfigurationEntry,
	FeatureStatus,
	FeatureType,
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

/** Only numbers can be metered (semantics 4). */
export function assertMeterTypeFits({ refId, featureType, meterType }: Kind): void {
	if (meterType !== "None" && featureType !== "NUMBER")
		throw fail(
			"MeteringNotAvailableForFeatureType",
			`Feature '${refId}' is ${featureType} and cannot be ${meterType}; only NUMBER features are metered. Leave 'meterType' out.`,
		);
}

/** ENUM features have values, each named once; no other feature has any. */
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

/** The divisor is exact; usage is rounded up when no direction is given (semantics 4). */
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

/** What is kept of a meter: COUNT needs no field, every other function does. `where` names the place for the caller. */
export function meterOf(feature: Kind, { aggregation, filters }: MeterInput) {
	if (!isMetered(feature))
		throw fail(
			"MeterMustBeAssociatedToMeteredFeature",
			`Feature '${feature.refId}' is not metered; a meter needs a NUMBER feature with meterType INCREMENTAL or FLUCTUATING.`,
		);
	if (aggregation.function !== "COUNT" && aggregation.field === undefined)
		throw fail("BadUserInput", `meter.aggregation: ${aggregation.function} needs 'field', the dimension to aggregate.`);
	filters.forEach(({ conditions }, group) => {
		conditions.forEach((condition, at) => {
			assertCondition(condition, `meter.filters[${group}].conditions[${at}]`);
		});
	});
	const { function: name, field } = aggregation;
	return {
		aggregation: name === "COUNT" || field === undefined ? { function: name } : { function: name, field },
		filters,
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

/** An archived (suspended) feature stays where it is entitled, and is refused anywhere new. */
export function assertFeatureUsable({
	refId,
	status,
}: {
	readonly refId: string;
	readonly status: FeatureStatus;
}): void {
	if (status === "SUSPENDED")
		throw fail("EntityIsArchivedError", `Feature '${refId}' is archived; unarchive it before you entitle or price it.`);
}
