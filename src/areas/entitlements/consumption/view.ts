import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire, toWireOrNull } from "../../../kernel/decimal";
import type { ChargedReport } from "../../credits/charging/reports/operations";
import type { EffectiveFeatureEntitlement } from "../../entitlement-sources/schema";
import type { FeatureRow } from "../../features/table";
import type { UsageMeasurement } from "../../usage/reports/schema";
import type { ReservationState } from "../reservations/rules";
import type { UsageReservationRow } from "../reservations/table";
import type { Reservation } from "./schema";

/** The customer, feature and resource of usage, by the caller's ids. */
export interface MeasuredUsage {
	readonly customerRef: string;
	readonly feature: FeatureRow;
	readonly resourceRef: string | null;
}

/** `entitlement` is the current answer of a check; undefined where nothing entitles the customer. */
export const viewMeasurement = (
	{ customerRef, feature, resourceRef }: MeasuredUsage,
	{ report: { id, at, createdAt, value }, credit }: ChargedReport,
	entitlement: EffectiveFeatureEntitlement | undefined,
): UsageMeasurement => ({
	id,
	customerId: customerRef,
	featureId: feature.refId,
	resourceId: resourceRef,
	value: toWire(value),
	timestamp: toIso(at),
	createdAt: toIso(createdAt),
	currentUsage: entitlement?.currentUsage ?? null,
	usagePeriodStart: entitlement?.usagePeriodStart ?? null,
	usagePeriodEnd: entitlement?.usagePeriodEnd ?? null,
	nextResetDate: entitlement?.usagePeriodEnd ?? null,
	credit,
});

export const viewReservation = (
	row: UsageReservationRow,
	{
		customerRef,
		featureRef,
		state,
	}: Record<"customerRef" | "featureRef", string> & { readonly state: ReservationState },
): Reservation => ({
	id: row.id,
	customerId: customerRef,
	featureId: featureRef,
	resourceId: row.resourceRef === "" ? null : row.resourceRef,
	amount: toWire(row.amount),
	status: state,
	expiresAt: toIso(row.expiresAt),
	committedAmount: toWireOrNull(row.committedAmount),
	usageId: row.reportId,
	dimensions: row.dimensions ?? {},
	createdAt: toIso(row.createdAt),
	endedAt: toIsoOrNull(row.endedAt),
});
