import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire, toWireOrNull } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { currenciesByIds } from "../../currencies/operations";
import { customersByIds } from "../../customers/operations";
import { featuresByIds } from "../../features/operations";
import { entitiesByIds } from "../../governance/operations.entities";
import { shownAssignmentsByIds } from "../../governance/shown/operations";
import { allCustomers } from "./rules";
import type { ReachedAlert, UsageAlert } from "./schema";
import type { ReachedAlertRow, UsageAlertRow } from "./table";

/** The callers' ids by row ids. */
function refsOf(
	work: Work,
	rows: ReadonlyArray<{ readonly customerId: string; readonly featureId: string; readonly currencyId: string }>,
) {
	const customers = customersByIds(work, [...new Set(rows.map(({ customerId }) => customerId))]);
	const features = featuresByIds(work, [...new Set(rows.map(({ featureId }) => featureId))]);
	const currencies = currenciesByIds(work, [...new Set(rows.map(({ currencyId }) => currencyId))]);
	return {
		customer: (id: string) => customers.get(id)?.refId ?? "",
		feature: (id: string) => features.get(id)?.refId ?? null,
		currency: (id: string) => currencies.get(id)?.refId ?? null,
	};
}

/** Returns rows of one environment for responses, with the callers' ids. */
export function usageAlertView(work: Work, rows: readonly UsageAlertRow[]): (row: UsageAlertRow) => UsageAlert {
	const refs = refsOf(work, rows);
	const entities = entitiesByIds(
		work,
		rows.flatMap(({ entityId }) => entityId || []),
	);
	return ({ id, featureId, currencyId, customerId, entityId, type, threshold, createdAt, updatedAt }) => ({
		id,
		featureId: refs.feature(featureId),
		currencyId: refs.currency(currencyId),
		customerId: customerId === allCustomers ? null : refs.customer(customerId),
		entityId: entities.get(entityId)?.refId ?? null,
		type,
		threshold: toWire(threshold),
		createdAt: toIso(createdAt),
		updatedAt: toIso(updatedAt),
	});
}

export function reachedAlertView(work: Work, rows: readonly ReachedAlertRow[]): (row: ReachedAlertRow) => ReachedAlert {
	const refs = refsOf(work, rows);
	const budgets = shownAssignmentsByIds(
		work,
		rows.flatMap(({ budgetId }) => budgetId || []),
	);
	return (row) => ({
		id: row.id,
		alertId: row.alertId,
		customerId: refs.customer(row.customerId),
		featureId: refs.feature(row.featureId),
		currencyId: refs.currency(row.currencyId),
		resourceId: row.resourceRef === "" ? null : row.resourceRef,
		entityId: budgets.get(row.budgetId)?.entity.refId ?? null,
		scopeEntityIds: [...(budgets.get(row.budgetId)?.scopeRefs ?? [])],
		type: row.type,
		threshold: toWire(row.threshold),
		currentUsage: toWire(row.usage),
		usageLimit: toWireOrNull(row.usageLimit),
		usagePeriodStart: row.periodEnd === null ? null : toIso(row.periodStart),
		usagePeriodEnd: toIsoOrNull(row.periodEnd),
		reachedAt: toIso(row.createdAt),
	});
}
