import { type Instant, instantOf } from "../../../kernel/clock";
import { type Decimal, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { type ChargedReport, chargeOfRepeated, recordAndCharge } from "../../credits/charging/reports/operations";
import { findResource, getCustomer } from "../../customers/operations";
import type { EffectiveFeatureEntitlement } from "../../entitlement-sources/schema";
import { assertTakesReports, findFeature, getFeature } from "../../features/operations";
import type { FeatureRow } from "../../features/table";
import { assertAttributable } from "../../governance/operations.attribution";
import type { Dimensions } from "../../pricing/models/formula";
import { wasEverGranted } from "../../promotional-entitlements/operations";
import { wasEverSold } from "../../subscriptions/versions/operations.in-use";
import { assertNotAhead, findReport, type Reported } from "../../usage/reports/operations";
import type { UsageMeasurement, UsageReportBody, UsageReportItem } from "../../usage/reports/schema";
import type { UsageReportRow } from "../../usage/reports/table";
import {
	type FeatureFinding,
	findFeatureAccess,
	type Holder,
	holderOf,
	type Resolve,
	refuseFeature,
	viewFeatureAccess,
	viewFeatureRefused,
} from "../operations";
import { periodShown } from "../operations.resets";
import { type Resolved, type ResolvedFeature, resolveEntitlements } from "../operations.resolve";
import { noticeDeniedUse } from "./operations.denied";
import type { ConsumeBody, Consumption } from "./schema";
import { type MeasuredUsage, viewMeasurement } from "./view";

/**
 * Records reports of usage, all or none; each sees the previous ones. A report is never refused because of a limit: later checks
 * deny. Throws CustomerNotFound, CustomerResourceNotFound, FeatureNotFound, NoFeatureEntitlementInSubscription for a feature that the
 * customer never had, and the errors of `assertTakesReports` and `recordReport`.
 */
export const reportUsage = (
	work: Work,
	{ usages }: UsageReportBody,
	resolve: Resolve = resolveEntitlements,
): UsageMeasurement[] => usages.map((item, at) => reportOne(work, item, `body/usages/${at}`, resolve));

function reportOne(work: Work, item: UsageReportItem, where: string, resolve: Resolve): UsageMeasurement {
	const customer = getCustomer(work, item.customerId);
	const resourceRef = item.resourceId ?? null;
	if (resourceRef !== null && !findResource(work, customer.id, resourceRef))
		throw fail(
			"CustomerResourceNotFound",
			`${where}/resourceId: customer '${item.customerId}' has no resource '${resourceRef}'.`,
		);
	const feature = getFeature(work, item.featureId);
	assertTakesReports(work, feature);
	assertAttributable(work, item.dimensions, where);
	const measured = { customerRef: customer.refId, feature, resourceRef };
	const shown = () => shownUsage(work, resolve(work, customer.refId, resourceRef), measured);
	const repeated = item.idempotencyKey && findRepeated(work, customer.id, measured, item.idempotencyKey);
	if (repeated) return viewMeasurement(measured, chargeOfRepeated(work, repeated), shown());
	const resolved = resolve(work, customer.refId, resourceRef);
	const found = resolved.features.get(feature.refId);
	if (!found) assertEverEntitled(work, customer.id, feature, { where, customerRef: customer.refId });
	const at = item.createdAt === undefined ? work.now : instantOf(item.createdAt);
	assertNotAhead(work, at, where);
	const report = recordAndCharge(
		work,
		{
			...reportOf(item, measured, customer.id),
			value: toDecimal(item.value),
			behavior: item.updateBehavior ?? "DELTA",
			at,
			period: found ? periodShown(found, at) : null,
			where,
		},
		resolved,
	);
	return viewMeasurement(measured, report, shown());
}

const findRepeated = (
	work: Work,
	customerId: string,
	{ feature, resourceRef }: MeasuredUsage,
	key: string,
): UsageReportRow | undefined => findReport(work, { customerId, featureId: feature.id, resourceRef }, key);

const reportOf = (
	{ idempotencyKey, dimensions }: Pick<UsageReportItem, "idempotencyKey" | "dimensions">,
	{ feature, resourceRef }: MeasuredUsage,
	customerId: string,
): Pick<Reported, "feature" | "customerId" | "resourceRef" | "idempotencyKey" | "dimensions" | "reservationId"> => ({
	feature,
	customerId,
	resourceRef,
	idempotencyKey: idempotencyKey ?? null,
	dimensions: dimensions ?? null,
	reservationId: null,
});

/** Usage of a feature that was ever sold can be reported late, because it is also billed late. */
function assertEverEntitled(
	work: Work,
	customerId: string,
	feature: FeatureRow,
	{ where, customerRef }: { readonly where: string; readonly customerRef: string },
): void {
	if (wasEverSold(work, customerId, feature.id) || wasEverGranted(work, customerId, feature.id)) return;
	throw fail(
		"NoFeatureEntitlementInSubscription",
		`${where}/featureId: customer '${customerRef}' never had feature '${feature.refId}'; entitle or price it in a plan or addon of the customer first.`,
	);
}

/** Returns the entitlement as a check shows it; undefined where nothing entitles the customer. */
function shownUsage(
	work: Work,
	resolved: Resolved,
	{ feature, resourceRef }: MeasuredUsage,
): EffectiveFeatureEntitlement | undefined {
	const found = resolved.features.get(feature.refId);
	return found && viewFeatureAccess(work, findFeatureAccess(work, found, holderOf(resolved, resourceRef), {}));
}

/** A denied request, or the data to decide about additional usage. */
export type AccessQuestion =
	| { readonly denied: EffectiveFeatureEntitlement }
	| {
			readonly found: ResolvedFeature;
			readonly resolved: Resolved;
			readonly of: Holder;
			readonly decide: (amount: Decimal, at: Instant, dimensions?: Dimensions) => FeatureFinding;
	  };

/** Resolves a customer, a resource and a feature. Unknown ones are denied, as by a check. */
export function prepareDecision(
	work: Work,
	{
		customerRef,
		featureRef,
		resourceRef,
	}: Record<"customerRef" | "featureRef", string> & {
		readonly resourceRef: string | null;
	},
	resolve: Resolve,
): AccessQuestion {
	const resolved = resolve(work, customerRef, resourceRef);
	const found = resolved.features.get(featureRef);
	const of = holderOf(resolved, resourceRef);
	if (!found) {
		const feature = findFeature(work, featureRef);
		if (feature) assertTakesReports(work, feature);
		return { denied: viewFeatureRefused(refuseFeature(work, featureRef, resolved, of, {})) };
	}
	if (!found.takesReports) assertTakesReports(work, found.feature);
	return {
		found,
		resolved,
		of,
		decide: (amount, at, dimensions) =>
			findFeatureAccess(work, found, of, { requestedUsage: zero }, { at, amount, dimensions }),
	};
}

/**
 * Consumes an amount of a feature if the customer has access, and records it in the same step. If many requests compete for the last
 * unit, one gets it. A denied request is an answer, and records nothing. A repeated key returns the first record.
 * Throws MeteringNotAvailableForFeatureType, CannotReportUsageForEntitlementWithMeterError, UsageMeasurementDiffOutOfRangeError,
 * BadUserInput.
 */
export function consume(
	work: Work,
	customerRef: string,
	featureRef: string,
	input: ConsumeBody,
	resolve: Resolve = resolveEntitlements,
): Consumption {
	const resourceRef = input.resourceId ?? null;
	const asked = prepareDecision(work, { customerRef, featureRef, resourceRef }, resolve);
	if ("denied" in asked) return notConsumed(asked.denied);
	const { found, of } = asked;
	const measured = { customerRef, feature: found.feature, resourceRef };
	const repeated = input.idempotencyKey && findRepeated(work, of.customerId, measured, input.idempotencyKey);
	if (repeated)
		return consumed(
			asGranted(viewFeatureAccess(work, asked.decide(zero, work.now))),
			measured,
			chargeOfRepeated(work, repeated),
		);
	const at = input.createdAt === undefined ? work.now : instantOf(input.createdAt);
	assertNotAhead(work, at, "body");
	assertAttributable(work, input.dimensions, "body");
	const amount = toDecimal(input.amount ?? 1);
	const decided = asked.decide(amount, at, input.dimensions ?? {});
	if (!decided.decision.isGranted) {
		noticeDeniedUse(work, decided);
		return notConsumed(viewFeatureAccess(work, decided));
	}
	const report = recordAndCharge(
		work,
		{
			...reportOf(input, measured, of.customerId),
			value: amount,
			behavior: "DELTA",
			at,
			period: null,
			budgets: decided.budgets,
			where: "body",
		},
		asked.resolved,
	);
	const isSeen = decided.reserved === zero && at === work.now;
	return consumed(isSeen ? withConsumed(work, decided) : viewAfter(work, found, of), measured, report);
}

const notConsumed = (entitlement: EffectiveFeatureEntitlement): Consumption => ({
	isGranted: false,
	accessDeniedReason: entitlement.accessDeniedReason,
	entitlement,
	usage: null,
});

const consumed = (
	entitlement: EffectiveFeatureEntitlement,
	measured: MeasuredUsage,
	report: ChargedReport,
): Consumption => ({
	isGranted: true,
	accessDeniedReason: null,
	entitlement,
	usage: viewMeasurement(measured, report, entitlement),
});

/** Marks an entitlement as granted, because the decision was taken before the usage was recorded. */
const asGranted = (entitlement: EffectiveFeatureEntitlement): EffectiveFeatureEntitlement => ({
	...entitlement,
	isGranted: true,
	accessDeniedReason: null,
});

/**
 * Returns the entitlement as a check shows it after the step. Without reservations, the consumed amount is used now. The budgets have
 * changed too, so a granted answer does not show them.
 */
const withConsumed = (work: Work, { decision, ...decided }: FeatureFinding): EffectiveFeatureEntitlement => {
	const { shown } = decision;
	const after = shown && { ...shown, usage: shown.usageAndReserved ?? shown.usage };
	return viewFeatureAccess(work, { ...decided, budgets: undefined, decision: { ...decision, shown: after } });
};

/** Returns the entitlement as a check shows it after the step, granted by the earlier decision. */
export const viewAfter = (work: Work, found: ResolvedFeature, of: Holder): EffectiveFeatureEntitlement =>
	asGranted(viewFeatureAccess(work, findFeatureAccess(work, found, of, { requestedUsage: zero })));
