import { type Instant, instantOf } from "../../../kernel/clock";
import { type Decimal, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { type ChargedReport, chargeOfRepeated, recordAndCharge } from "../../credits/charging/reports/operations";
import { findResource, getCustomer } from "../../customers/operations";
import type { EffectiveFeatureEntitlement } from "../../entitlement-sources/schema";
import { assertTakesReports, findFeature, getFeature } from "../../features/operations";
import type { FeatureRow } from "../../features/table";
import type { Dimensions } from "../../pricing/models/formula";
import { wasEverGiven } from "../../promotional-entitlements/operations";
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
import type { ConsumeBody, Consumption } from "./schema";
import { type MeasuredOf, viewMeasurement } from "./view";

/**
 * Keeps what was used, all items or none; they see each other in their order. What has happened is never refused for lack of
 * quota: a check says so from then on. CustomerNotFound, CustomerResourceNotFound, FeatureNotFound,
 * NoFeatureEntitlementInSubscription for what the customer never had, and what `assertTakesReports` and `recordReport` refuse.
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
	const measured = { customerRef: customer.refId, feature, resourceRef };
	const shown = () => shownUsage(work, resolve(work, customer.refId, resourceRef), measured);
	const kept = item.idempotencyKey && findKept(work, customer.id, measured, item.idempotencyKey);
	if (kept) return viewMeasurement(measured, chargeOfRepeated(work, kept), shown());
	const resolved = resolve(work, customer.refId, resourceRef);
	const found = resolved.features.get(feature.refId);
	if (!found) assertEverHad(work, customer.id, feature, { where, customerRef: customer.refId });
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

const findKept = (
	work: Work,
	customerId: string,
	{ feature, resourceRef }: MeasuredOf,
	key: string,
): UsageReportRow | undefined => findReport(work, { customerId, featureId: feature.id, resourceRef }, key);

const reportOf = (
	{ idempotencyKey, dimensions }: Pick<UsageReportItem, "idempotencyKey" | "dimensions">,
	{ feature, resourceRef }: MeasuredOf,
	customerId: string,
): Pick<Reported, "feature" | "customerId" | "resourceRef" | "idempotencyKey" | "dimensions" | "reservationId"> => ({
	feature,
	customerId,
	resourceRef,
	idempotencyKey: idempotencyKey ?? null,
	dimensions: dimensions ?? null,
	reservationId: null,
});

/** What was sold once may be reported late, however it ended: it is billed late, too. */
function assertEverHad(
	work: Work,
	customerId: string,
	feature: FeatureRow,
	{ where, customerRef }: { readonly where: string; readonly customerRef: string },
): void {
	if (wasEverSold(work, customerId, feature.id) || wasEverGiven(work, customerId, feature.id)) return;
	throw fail(
		"NoFeatureEntitlementInSubscription",
		`${where}/featureId: customer '${customerRef}' never had feature '${feature.refId}'; entitle or price it in a plan or addon of the customer first.`,
	);
}

/** As a check shows it; undefined when nothing entitles the customer now. */
function shownUsage(
	work: Work,
	resolved: Resolved,
	{ feature, resourceRef }: MeasuredOf,
): EffectiveFeatureEntitlement | undefined {
	const found = resolved.features.get(feature.refId);
	return found && viewFeatureAccess(findFeatureAccess(work, found, holderOf(resolved, resourceRef), {}));
}

/** A decision about some more usage, as far as one can be taken. */
export type Asked =
	| { readonly denied: EffectiveFeatureEntitlement }
	| {
			readonly found: ResolvedFeature;
			readonly resolved: Resolved;
			readonly of: Holder;
			readonly decide: (amount: Decimal, at: Instant, dimensions?: Dimensions) => FeatureFinding;
	  };

/** What a customer, a resource and a feature come to. What is unknown is not granted, as by a check. */
export function askFor(
	work: Work,
	{
		customerRef,
		featureRef,
		resourceRef,
	}: Record<"customerRef" | "featureRef", string> & {
		readonly resourceRef: string | null;
	},
	resolve: Resolve,
): Asked {
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
 * Takes so much of a feature if the customer may, and records it in the same step: of many who ask for the last unit one gets
 * it. What is not granted is an answer, and nothing is recorded. A key that was recorded before answers that record.
 * MeteringNotAvailableForFeatureType, CannotReportUsageForEntitlementWithMeterError, UsageMeasurementDiffOutOfRangeError,
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
	const asked = askFor(work, { customerRef, featureRef, resourceRef }, resolve);
	if ("denied" in asked) return notConsumed(asked.denied);
	const { found, of } = asked;
	const measured = { customerRef, feature: found.feature, resourceRef };
	const kept = input.idempotencyKey && findKept(work, of.customerId, measured, input.idempotencyKey);
	if (kept)
		return consumed(
			grantedAnyway(viewFeatureAccess(asked.decide(zero, work.now))),
			measured,
			chargeOfRepeated(work, kept),
		);
	const at = input.createdAt === undefined ? work.now : instantOf(input.createdAt);
	assertNotAhead(work, at, "body");
	const amount = toDecimal(input.amount ?? 1);
	const decided = asked.decide(amount, at, input.dimensions ?? {});
	if (!decided.decision.isGranted) return notConsumed(viewFeatureAccess(decided));
	const report = recordAndCharge(
		work,
		{
			...reportOf(input, measured, of.customerId),
			value: amount,
			behavior: "DELTA",
			at,
			period: null,
			where: "body",
		},
		asked.resolved,
	);
	const isSeen = decided.reserved === zero && at === work.now;
	return consumed(isSeen ? withTaken(decided) : viewAfter(work, found, of), measured, report);
}

const notConsumed = (entitlement: EffectiveFeatureEntitlement): Consumption => ({
	isGranted: false,
	accessDeniedReason: entitlement.accessDeniedReason,
	entitlement,
	usage: null,
});

const consumed = (
	entitlement: EffectiveFeatureEntitlement,
	measured: MeasuredOf,
	report: ChargedReport,
): Consumption => ({
	isGranted: true,
	accessDeniedReason: null,
	entitlement,
	usage: viewMeasurement(measured, report, entitlement),
});

/** What was granted once stays granted, whatever is left now. */
const grantedAnyway = (entitlement: EffectiveFeatureEntitlement): EffectiveFeatureEntitlement => ({
	...entitlement,
	isGranted: true,
	accessDeniedReason: null,
});

/** As a check shows it after the step; what was taken of what is held by nobody is what is used since. */
const withTaken = ({ decision, ...decided }: FeatureFinding): EffectiveFeatureEntitlement => {
	const { shown } = decision;
	const after = shown && { ...shown, usage: shown.taken ?? shown.usage };
	return viewFeatureAccess({ ...decided, decision: { ...decision, shown: after } });
};

/** As a check shows it after the step, granted by the decision that was taken before it. */
export const viewAfter = (work: Work, found: ResolvedFeature, of: Holder): EffectiveFeatureEntitlement =>
	grantedAnyway(viewFeatureAccess(findFeatureAccess(work, found, of, { requestedUsage: zero })));
