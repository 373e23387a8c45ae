import { toIso, toIsoOrNull } from "../../kernel/clock";
import { toWireOrNull } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import type { CustomerRow } from "../customers/table";
import { scheduleNotice, writeEvent } from "../outbox/operations";
import type { Grant } from "./store";

type What = "granted" | "updated" | "revoked" | "expired";

export function writeGrantEvent(work: Work, what: What, customer: Pick<CustomerRow, "refId">, grant: Grant): void {
	if (what !== "expired")
		scheduleNotice(work, "promotionalEntitlement.expired", grant.id, what === "revoked" ? null : grant.endAt);
	writeEvent(work, `promotionalEntitlement.${what}`, grant.id, {
		id: grant.id,
		entityId: grant.id,
		status: what === "revoked" ? "Revoked" : grant.status,
		feature: { id: grant.featureRefId },
		customer: { id: customer.refId },
		period: grant.period,
		startDate: toIso(grant.startAt),
		endDate: toIsoOrNull(grant.endAt),
		usageLimit: toWireOrNull(grant.usageLimit),
		hasUnlimitedUsage: grant.hasUnlimitedUsage,
		hasSoftLimit: grant.hasSoftLimit,
	});
}
