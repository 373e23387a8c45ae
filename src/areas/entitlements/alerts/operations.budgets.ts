import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { countedBudgetsOf } from "../../governance/notices/operations";
import type { CountedBudget } from "../../governance/notices/operations.counted-budget";
import { getCapability } from "../../governance/operations.capabilities";
import { getNamedEntity } from "../../governance/operations.entities";
import { resetOf } from "../../governance/rules.cadence";
import { emitBudgetThreshold } from "./events";
import { isReached } from "./rules";
import type { NewUsageAlert } from "./schema";
import { insertReached, type NewAlertRow, selectAlertsOfEntity } from "./store";
import type { UsageAlertRow } from "./table";

/**
 * Returns the entity and the capability of a new alert about the budgets of an entity. Throws BadUserInput, EntityIsArchivedError,
 * FeatureNotFound, CustomCurrencyNotFound and UnsupportedFeatureType.
 */
export function budgetsOfAlert(
	work: Work,
	customerId: string | undefined,
	entityRef: string,
	of: Pick<NewUsageAlert, "featureId" | "currencyId">,
): Pick<NewAlertRow, "entityId" | "featureId" | "currencyId"> {
	if (customerId === undefined)
		throw fail("BadUserInput", "body/entityId: an entity belongs to a customer; send 'customerId' too.");
	const { id: entityId } = getNamedEntity(work, customerId, entityRef, "body/entityId");
	const { capability, capabilityId } = getCapability(work, of, "body");
	return {
		entityId,
		...(capability === "FEATURE"
			? { featureId: capabilityId, currencyId: "" }
			: { featureId: "", currencyId: capabilityId }),
	};
}

/** Evaluates an alert about the budgets of an entity at once. */
export function evaluateBudgetsOf(work: Work, { entityId, featureId, currencyId }: UsageAlertRow): void {
	for (const counted of countedBudgetsOf(work, entityId, featureId || currencyId)) recordReachedBudget(work, counted);
}

/**
 * Compares the usage of a budget with the thresholds of its entity. Records the reached ones and emits their events, once for each alert,
 * threshold and window.
 */
export function recordReachedBudget(work: Work, counted: CountedBudget): void {
	const { budget, place, counter, usage, limit: usageLimit } = counted;
	for (const alert of selectAlertsOfEntity(work, place.entityId)) {
		if ((alert.featureId || alert.currencyId) !== place.capabilityId) continue;
		if (!isReached(alert, { usage, limit: usageLimit })) continue;
		const { id: alertId, featureId, currencyId, type, threshold } = alert;
		const recorded = insertReached(work, {
			...{ alertId, featureId, currencyId, type, threshold, customerId: budget.customerId, budgetId: budget.id },
			...{ resourceRef: "", usage, usageLimit, periodStart: counter.windowStart },
			periodEnd: resetOf({ end: counter.windowEnd }),
		});
		if (recorded) emitBudgetThreshold(work, recorded, counted);
	}
}
