import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { exact, toWire, toWireOrNull } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { customersByIds, getCustomerById, resourcesByIds } from "../../customers/operations";
import { isLimitless } from "../../entitlement-sources/rules.precedence";
import { writeEvent } from "../../outbox/operations";
import type { Reported } from "../../usage/reports/operations";
import type { UsageReportRow } from "../../usage/reports/table";
import { hasSubscriber } from "../../webhooks/operations.subscribers";
import { findEntitlement, listEntitlements } from "../operations";
import type { EntitlementChangeRow } from "./table";

/** Emits an event for reported or consumed usage, in the same transaction, if an endpoint subscribes to it. */
export function emitMeasurementEvent(
	work: Work,
	{ feature, customerId, resourceRef }: Reported,
	report: UsageReportRow,
): void {
	if (!hasSubscriber(work, "measurement.reported")) return;
	const { refId } = getCustomerById(work, customerId);
	const finding = findEntitlement(work, refId, {
		featureId: feature.refId,
		requestedUsage: "0",
		...(resourceRef !== null && { resourceId: resourceRef }),
	});
	const shown = finding.kind === "FEATURE" ? finding.decision.shown : null;
	const limit = !shown || isLimitless(shown.source) ? null : shown.source.usageLimit;
	const used = !shown || limit === null || exact(limit).eq(0) ? null : exact(shown.usage).times(100).div(exact(limit));
	writeEvent(work, "measurement.reported", customerId, {
		customer: { id: refId },
		resource: resourceRef === null ? null : { id: resourceRef },
		feature: { id: feature.refId },
		currentChange: toWire(report.delta),
		currentUsage: shown && toWire(shown.usage),
		usageLimit: toWireOrNull(limit),
		usageUsedPercentage: used && Math.round(used.toNumber() * 100) / 100,
		hasUnlimitedUsage: shown !== null && limit === null,
		nextResetDate: toIsoOrNull(shown?.period?.end ?? null),
	});
}

/** Emits the current entitlements of a customer or a resource. Does nothing if it no longer exists. */
export function emitEntitlementsEvent(work: Work, { customerId, resourceId, trigger }: EntitlementChangeRow): void {
	const customer = customersByIds(work, [customerId]).get(customerId);
	const resource = resourceId === "" ? null : resourcesByIds(work, [resourceId]).get(resourceId);
	if (!customer || resource === undefined) return;
	writeEvent(work, "entitlements.updated", customerId, {
		trigger,
		customer: { id: customer.refId },
		resource: resource && { id: resource.refId },
		entitlements: listEntitlements(work, customer.refId, resource?.refId ?? null).entitlements,
		entitlementsUpdatedAt: toIso(work.now),
	});
}
