import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { findMeterOf } from "../../features/operations";
import type { FeatureRow } from "../../features/table";
import { periodPath, refuse } from "../rules.field-paths";
import { measuresLevel } from "./rules.usage-measure";
import type { PricingModel } from "./schema";

/** Throws the errors of prices that the meter of their feature cannot count, or that count reported levels. */
export function assertMetered(work: Work, where: string, feature: FeatureRow, model: PricingModel): void {
	assertTransactionsMetered(work, where, feature, model);
	assertSegmentsMetered(work, where, feature, model);
	assertLevelReported(work, where, feature, model);
	assertEventsMetered(work, where, feature, model);
}

/** Throws MeterMustBeAssociatedToMeteredFeature where transactions have no meter, BadUserInput where a percentage has no value. */
function assertTransactionsMetered(work: Work, where: string, { refId }: { refId: string }, model: PricingModel): void {
	const at = model.pricePeriods.findIndex(({ transactionPrice }) => transactionPrice);
	if (at === -1) return;
	const place = `${periodPath(where, at)}.transactionPrice`;
	const meter = findMeterOf(work, refId);
	if (!meter)
		throw fail(
			"MeterMustBeAssociatedToMeteredFeature",
			`${place}: prices the events of a meter, and '${refId}' has none; set its meter first.`,
		);
	const needsValue = model.pricePeriods.some(({ transactionPrice }) => transactionPrice?.percentRate !== undefined);
	if (needsValue && meter.aggregation.field === undefined)
		throw refuse(
			place,
			`'percentRate' is of the value in the meter's 'field', and the meter of '${refId}' counts events only; give it a field, or use 'formula'.`,
		);
}

/** Throws UnsupportedFeatureType for a level, which has no dimensions, and MeterMustBeAssociatedToMeteredFeature for groups without a meter. */
function assertSegmentsMetered(work: Work, where: string, feature: FeatureRow, model: PricingModel): void {
	const { groupBy = [], pricePeriods } = model;
	const hasVariants = pricePeriods.some(({ variants = [] }) => variants.length > 0);
	if (!hasVariants && groupBy.length === 0) return;
	const meter = findMeterOf(work, feature.refId);
	if (!meter && feature.meterType === "FLUCTUATING")
		throw fail(
			"UnsupportedFeatureType",
			`${where}: variants divide what is used by dimensions, and '${feature.refId}' reports a level; use an INCREMENTAL feature.`,
		);
	if (!meter && groupBy.length > 0)
		throw fail(
			"MeterMustBeAssociatedToMeteredFeature",
			`${where}.groupBy: groups the events of a meter, and '${feature.refId}' has none; set its meter first.`,
		);
}

/** Throws UnsupportedFeatureType unless a price that measures levels is of a feature whose levels are reported. */
function assertLevelReported(work: Work, where: string, feature: FeatureRow, model: PricingModel): void {
	if (!measuresLevel(model)) return;
	if (feature.meterType !== "FLUCTUATING")
		throw fail(
			"UnsupportedFeatureType",
			`${where}: 'usageMeasure' ${model.usageMeasure} is for a level, which goes up and down, and '${feature.refId}' is ${feature.meterType}; use a FLUCTUATING feature, or leave 'usageMeasure' out.`,
		);
	if (findMeterOf(work, feature.refId))
		throw fail(
			"UnsupportedFeatureType",
			`${where}: 'usageMeasure' ${model.usageMeasure} needs reported levels, and a meter counts events of '${feature.refId}'; use a feature without a meter.`,
		);
}

/** The functions of meters in which one more event costs a definite amount. */
const functionsByEvent: ReadonlySet<string> = new Set(["COUNT", "SUM", "UNIQUE", "MAX"]);

/** Throws MeterMustBeAssociatedToMeteredFeature where events have no meter, UnsupportedParameter where an event adds no definite usage. */
function assertEventsMetered(work: Work, where: string, feature: FeatureRow, model: PricingModel): void {
	if (model.paymentTime !== "AT_EVENT") return;
	const place = `${where}.paymentTime`;
	const meter = findMeterOf(work, feature.refId);
	if (!meter)
		throw fail(
			"MeterMustBeAssociatedToMeteredFeature",
			`${place}: AT_EVENT charges the events of a meter, and '${feature.refId}' has none; set its meter first.`,
		);
	if (!functionsByEvent.has(meter.aggregation.function))
		throw fail(
			"UnsupportedParameter",
			`${place}: the meter of '${feature.refId}' is ${meter.aggregation.function}, of which one event adds no definite usage; use COUNT, SUM, UNIQUE or MAX, or leave AT_EVENT out.`,
		);
}
