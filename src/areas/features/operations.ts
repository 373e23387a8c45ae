import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import {
	assertEnumFits,
	assertMeterTypeFits,
	assertReportable,
	billedUsageOf,
	isMetered,
	meterOf,
	nextFeatureStatus,
	unitTransformationOf,
	weighedByMeter,
} from "./rules";
import type { FeatureCreate, FeatureListQuery, FeatureUpdate, MeterInput } from "./schema";
import {
	type FeatureChanges,
	findFeature,
	findMeter,
	hasMeter,
	insertFeature,
	markActive,
	pageFeatures,
	replaceMeter,
	saveFeature,
	selectFeatures,
	selectFeaturesByRef,
	selectMeters,
} from "./store";
import type { FeatureRow, MeterRow } from "./table";

export { findFeature };

/** Throws FeatureNotFound. */
export function getFeature(work: Work, refId: string): FeatureRow {
	const feature = findFeature(work, refId);
	if (!feature) throw fail("FeatureNotFound", `There is no feature '${refId}' in this environment.`);
	return feature;
}

export const featuresByIds = (work: Work, ids: readonly string[]): Map<string, FeatureRow> =>
	new Map(selectFeatures(work, ids).map((feature) => [feature.id, feature]));

/** Returns features by the caller's ids. Throws FeatureNotFound, which names all missing ones. */
export function featuresByRefs(work: Work, refIds: readonly string[]): Map<string, FeatureRow> {
	const found = new Map(selectFeaturesByRef(work, refIds).map((feature) => [feature.refId, feature]));
	const missing = [...new Set(refIds)].filter((refId) => !found.has(refId));
	if (missing.length > 0)
		throw fail(
			"FeatureNotFound",
			`There is no feature '${missing.join("', '")}' in this environment; create it first.`,
		);
	return found;
}

/**
 * Throws MeteringNotAvailableForFeatureType or CannotReportUsageForEntitlementWithMeterError if usage of the feature cannot be
 * reported.
 */
export const assertTakesReports = (work: Work, feature: FeatureRow): void =>
	assertReportable(feature, hasMeter(work, feature.id));

/** Returns whether usage of the feature can be reported. */
export const takesReports = (work: Work, feature: FeatureRow): boolean =>
	isMetered(feature) && !hasMeter(work, feature.id);

/** Returns the meters of this environment, oldest first. */
export const listMeters = (work: Work): MeterRow[] => selectMeters(work);

export const listFeatures = (work: Work, query: FeatureListQuery): Page<FeatureRow> => pageFeatures(work, query);

export function createFeature(work: Work, input: FeatureCreate): FeatureRow {
	const kind = { refId: input.id, featureType: input.featureType, meterType: input.meterType ?? "None" };
	assertMeterTypeFits(kind);
	assertEnumFits(input.id, input.featureType, input.enumConfiguration);
	const unitTransformation = unitTransformationOf(kind, input.unitTransformation ?? null);
	const billedUsage = input.billedUsage === undefined ? null : billedUsageOf(kind, input.billedUsage);
	if (findFeature(work, input.id))
		throw fail("DuplicatedEntityNotAllowed", `There is a feature '${input.id}' already; choose another id.`);
	return insertFeature(work, {
		...kind,
		displayName: input.displayName,
		description: input.description ?? null,
		status: input.featureStatus ?? "NEW",
		featureUnits: input.featureUnits ?? null,
		featureUnitsPlural: input.featureUnitsPlural ?? null,
		enumConfiguration: input.featureType === "ENUM" ? (input.enumConfiguration ?? null) : null,
		unitTransformation,
		billedUsage,
		metadata: input.metadata ?? {},
	});
}

/** Changes the sent fields. The type of a feature cannot change. A sent meter replaces the former one. */
export function updateFeature(work: Work, refId: string, input: FeatureUpdate): FeatureRow {
	const feature = getFeature(work, refId);
	if (input.enumConfiguration) assertEnumFits(refId, feature.featureType, input.enumConfiguration);
	const changes: FeatureChanges = {
		...(input.displayName !== undefined && { displayName: input.displayName }),
		...(input.description !== undefined && { description: input.description }),
		...(input.featureUnits !== undefined && { featureUnits: input.featureUnits }),
		...(input.featureUnitsPlural !== undefined && { featureUnitsPlural: input.featureUnitsPlural }),
		...(input.metadata && { metadata: input.metadata }),
		...(input.enumConfiguration && feature.featureType === "ENUM" && { enumConfiguration: input.enumConfiguration }),
		...(input.billedUsage !== undefined && { billedUsage: billedUsageOf(feature, input.billedUsage) }),
		...(input.unitTransformation !== undefined && {
			unitTransformation: unitTransformationOf(feature, input.unitTransformation),
		}),
	};
	if (input.meter) setMeter(work, feature, input.meter);
	const saved = saveFeature(work, feature, changes);
	if (saved.billedUsage !== null && hasMeter(work, feature.id)) throw weighedByMeter(refId);
	return saved;
}

/** Replaces the meter. An equal meter changes nothing, so a repeated update does not recount all events. */
function setMeter(work: Work, feature: FeatureRow, input: MeterInput): void {
	const meter = meterOf(feature, input);
	const current = findMeter(work, feature.id);
	if (current && isSameMeter(current, meter)) return;
	replaceMeter(work, feature.id, meter);
	work.wake("aggregator");
}

const isSameMeter = ({ aggregation, filters }: MeterRow, meter: ReturnType<typeof meterOf>): boolean =>
	Bun.deepEquals({ aggregation, filters }, meter);

/** Returns whether anything active relies on the feature (a row id). */
export type IsInUse = (work: Work, featureId: string) => boolean;

/** The use of a feature in later areas. */
export interface FeatureUse {
	readonly isInUse: IsInUse;
	/** Whether anyone has reported its usage. */
	readonly wasReported: IsInUse;
}

/**
 * Throws if a change would alter the meaning of counted usage under a running subscription (docs/interface/catalogue.md). Another
 * meter throws CannotUpdateMeterOfFeatureInUse; another unit transformation throws CannotUpdateUnitTransformationError. A first
 * meter and an unchanged meter are accepted. A feature with reported usage gets no meter, because the reports would no longer
 * count. `use` contains the checks of usage and subscriptions, which depend on this area.
 */
export function assertChangeFitsUse(
	work: Work,
	refId: string,
	input: FeatureUpdate,
	{ isInUse, wasReported }: FeatureUse,
): void {
	const feature = getFeature(work, refId);
	const meter = input.meter && findMeter(work, feature.id);
	const changesMeter = input.meter && meter && !isSameMeter(meter, meterOf(feature, input.meter));
	const changesBilled =
		input.billedUsage !== undefined && feature.billedUsage !== billedUsageOf(feature, input.billedUsage);
	const changesUnits =
		input.unitTransformation !== undefined &&
		!Bun.deepEquals(feature.unitTransformation, unitTransformationOf(feature, input.unitTransformation));
	const remedy = "make a new feature for the new way of counting, and entitle that";
	if (input.meter && !meter && wasReported(work, feature.id))
		throw fail(
			"CannotUpdateMeterOfFeatureInUse",
			`Usage of feature '${refId}' has been reported, so no meter can count it; ${remedy}.`,
		);
	if (!(changesMeter || changesUnits || changesBilled) || !isInUse(work, feature.id)) return;
	if (changesBilled)
		throw fail(
			"CannotUpdateMeterOfFeatureInUse",
			`How the usage of feature '${refId}' is billed holds for running subscriptions and cannot change; ${remedy}.`,
		);
	if (changesMeter)
		throw fail(
			"CannotUpdateMeterOfFeatureInUse",
			`The meter of feature '${refId}' counts for running subscriptions and cannot change; ${remedy}.`,
		);
	throw fail(
		"CannotUpdateUnitTransformationError",
		`The unit transformation of feature '${refId}' holds for running subscriptions and cannot change; ${remedy}.`,
	);
}

/** Returns the meter; undefined if the feature has none. Throws FeatureNotFound. */
export const findMeterOf = (work: Work, refId: string): MeterRow | undefined =>
	findMeter(work, getFeature(work, refId).id);

/** The maximum number of users of a feature that a message names. */
const namedMax = 10;

/**
 * Archives a feature, so that no new entitlement or price can use it. Throws FeatureNotFound; CannotArchiveFeatureError while a
 * published or draft package uses it. The caller passes `usersOf`, because packages depend on this area.
 */
export function archiveFeature(
	work: Work,
	refId: string,
	usersOf: (work: Work, use: { readonly featureId: string }) => readonly { readonly title: string }[],
): FeatureRow {
	const feature = getFeature(work, refId);
	const status = nextFeatureStatus(feature, "archive", () => false);
	if (status === feature.status) return feature;
	const users = usersOf(work, { featureId: feature.id });
	if (users.length > 0)
		throw fail(
			"CannotArchiveFeatureError",
			`Feature '${refId}' is used by ${users
				.slice(0, namedMax)
				.map(({ title }) => title)
				.join(
					", ",
				)}${users.length > namedMax ? ", …" : ""}; take it out of their entitlements and charges, or archive them first.`,
		);
	return saveFeature(work, feature, { status });
}

/** Unarchives a feature. Throws FeatureNotFound. `wasUsed` returns whether any package ever used it. */
export function unarchiveFeature(work: Work, refId: string, wasUsed: IsInUse): FeatureRow {
	const feature = getFeature(work, refId);
	const status = nextFeatureStatus(feature, "unarchive", () => wasUsed(work, feature.id));
	return status === feature.status ? feature : saveFeature(work, feature, { status });
}

/** Marks NEW features ACTIVE when a package first entitles them (docs/interface/catalogue.md; the first use is our reading). */
export const markFeaturesUsed = (work: Work, ids: readonly string[]): void => markActive(work, ids);

/** Operations that depend on the use of a feature. Later areas implement them, so the composition passes them in (catalog/operations.features.ts). */
export interface FeaturesInUse {
	/** Throws CannotUpdateMeterOfFeatureInUse, CannotUpdateUnitTransformationError, FeatureNotFound. */
	change(work: Work, refId: string, input: FeatureUpdate): FeatureRow;
	/** Throws CannotArchiveFeatureError, FeatureNotFound. */
	archive(work: Work, refId: string): FeatureRow;
	unarchive(work: Work, refId: string): FeatureRow;
}
