import { toIso } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { ReportedUsage } from "./schema";
import type { UsageReportRow } from "./table";

export const viewReport = (
	{ id, value, delta, behavior, at, createdAt, idempotencyKey, dimensions, reservationId }: UsageReportRow,
	{ customerRef, featureRef, resourceRef }: Readonly<Record<"customerRef" | "featureRef" | "resourceRef", string>>,
): ReportedUsage => ({
	id,
	customerId: customerRef,
	featureId: featureRef,
	resourceId: resourceRef === "" ? null : resourceRef,
	value: toWire(value),
	delta: toWire(delta),
	updateBehavior: behavior,
	timestamp: toIso(at),
	createdAt: toIso(createdAt),
	idempotencyKey,
	dimensions: { ...dimensions },
	reservationId,
});
