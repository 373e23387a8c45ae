import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { exact, toWire, toWireOrNull } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { emitBalanceEvent } from "../../credits/operations.events";
import { currentTotals, findWallet } from "../../credits/operations.wallets";
import { customersByIds } from "../../customers/operations";
import { featuresByIds } from "../../features/operations";
import { budgetPayload } from "../../governance/notices/operations";
import type { CountedBudget } from "../../governance/notices/operations.counted-budget";
import { writeEvent } from "../../outbox/operations";
import type { ReachedAlertRow } from "./table";

/** Emits the event for a reached threshold of usage or of credits. */
export function emitAlertEvent(work: Work, row: ReachedAlertRow): void {
	const { customerId, currencyId, resourceRef, usage, usageLimit } = row;
	if (currencyId !== "") {
		const wallet = findWallet(work, { customerId, currencyId, resourceRef });
		assert(wallet, "wallets are never deleted");
		emitBalanceEvent(work, "low", wallet, currentTotals(work, wallet));
		return;
	}
	const used = usageLimit === null || exact(usageLimit).eq(0) ? null : exact(usage).times(100).div(exact(usageLimit));
	writeEvent(work, "entitlement.usage_exceeded", customerId, {
		eventId: row.id,
		customer: { id: customersByIds(work, [customerId]).get(customerId)?.refId ?? "" },
		resource: resourceRef === "" ? null : { id: resourceRef },
		feature: { id: featuresByIds(work, [row.featureId]).get(row.featureId)?.refId ?? "" },
		thresholdType: row.type,
		threshold: toWire(row.threshold),
		currentUsage: toWire(usage),
		usageLimit: toWireOrNull(usageLimit),
		usageUsedPercentage: used && Math.round(used.toNumber() * 100) / 100,
		usagePeriodStart: row.periodEnd === null ? null : toIso(row.periodStart),
		usagePeriodEnd: toIsoOrNull(row.periodEnd),
	});
}

/** Emits the event for a reached threshold of a budget. */
export const emitBudgetThreshold = (
	work: Work,
	{ id, type, threshold }: ReachedAlertRow,
	counted: CountedBudget,
): void =>
	writeEvent(work, "budget.threshold_reached", counted.budget.id, {
		...{ eventId: id, ...budgetPayload(work, counted), thresholdType: type, threshold: toWire(threshold) },
	});
