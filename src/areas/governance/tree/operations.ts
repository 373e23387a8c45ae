import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire, toWireOrNull, zero } from "../../../kernel/decimal";
import { queryValues } from "../../../kernel/query";
import type { Work } from "../../../kernel/work";
import { findCurrency } from "../../currencies/operations";
import { getCustomer } from "../../customers/operations";
import { featuresByIds, findFeature } from "../../features/operations";
import { convertUnits, type UnitTransformation } from "../../pricing/unit-conversion";
import { countedUsage } from "../operations.decide";
import { assertGovernance } from "../operations.entity-types";
import { resetOf } from "../rules.cadence";
import { utilizationOf } from "../rules.chains";
import type { GovernanceNode, TreeQuery } from "../schema";
import { type ShownAssignment, shownAssignmentsByIds } from "../shown/operations";
import { selectTypes } from "../store";
import { viewCapability } from "../view";
import { sortedPage } from "./operations.sorted";
import { encodePlace } from "./rules.cursor";

export interface TreePage {
	readonly data: GovernanceNode[];
	readonly pagination: { readonly next: string | null };
}

/** Returns a page of a customer's budgets. Without features and currencies, it shows the tree alone: no limits and no usage. */
export function readTree(work: Work, customerRef: string, query: TreeQuery): TreePage {
	assertGovernance(work);
	const customer = getCustomer(work, customerRef);
	const capabilityIds = capabilitiesOf(work, query);
	const types = selectTypes(work);
	const { rows, next } = sortedPage(work, customer.id, capabilityIds, query, types);
	const byId = shownAssignmentsByIds(
		work,
		rows.map(({ id }) => id),
	);
	const shown = rows.flatMap(({ id }) => byId.get(id) ?? []);
	const typeRefOf = (typeId: string): string => types.find(({ id }) => id === typeId)?.refId ?? "";
	const usageOf = capabilityIds && usageReader(work, customer.id, shown);
	return {
		data: shown.map((row) => ({ ...viewPlace(row, typeRefOf(row.entity.typeId)), ...(usageOf ?? withoutUsage)(row) })),
		pagination: { next: next && encodePlace(next) },
	};
}

/** Unknown ids have no budgets. */
function capabilitiesOf(work: Work, query: TreeQuery): string[] | undefined {
	const featureRefs = queryValues(query.featureIds);
	const currencyRefs = queryValues(query.currencyIds);
	if (!featureRefs && !currencyRefs) return undefined;
	return [
		...(featureRefs ?? []).flatMap((refId) => findFeature(work, refId)?.id ?? []),
		...(currencyRefs ?? []).flatMap((refId) => findCurrency(work, refId)?.id ?? []),
	];
}

const viewPlace = (row: ShownAssignment, entityTypeId: string) => ({
	...{ entityId: row.entity.refId, entityTypeId, displayName: row.entity.displayName },
	...viewCapability(row.node.capability, row.capabilityRef),
	...{ parentId: row.parentRef, scopeEntityIds: [...row.scopeRefs] },
	...(row.hasSoftLimit && { hasSoftLimit: true }),
	...(row.allocatedFrom !== null && { allocated: true }),
});

type NodeUsage = Omit<GovernanceNode, keyof ReturnType<typeof viewPlace> | "featureId" | "currencyId">;

const withoutUsage = (_: ShownAssignment): NodeUsage => ({
	...{ usageLimit: null, cadence: null, currentUsage: null, utilization: null },
	...{ usagePeriodStart: null, usagePeriodEnd: null },
});

/** Returns a function that reads the usage of a budget in its current window. */
function usageReader(work: Work, customerId: string, rows: readonly ShownAssignment[]) {
	const features = featuresByIds(work, [
		...new Set(rows.flatMap(({ node }) => (node.capability === "FEATURE" ? node.capabilityId : []))),
	]);
	const counted = countedUsage(work, { customerId, at: work.now });
	return (row: ShownAssignment): NodeUsage => {
		const units: UnitTransformation | null = features.get(row.node.capabilityId)?.unitTransformation ?? null;
		const { usageLimit, window, used, reserved } = counted(row);
		const usage = convertUnits(used, units);
		return {
			...{ usageLimit: toWireOrNull(usageLimit), cadence: row.cadence, currentUsage: toWire(usage) },
			...(reserved !== zero && { reservedUsage: toWire(reserved) }),
			utilization: utilizationOf(usage, usageLimit),
			...{ usagePeriodStart: toIso(window.start), usagePeriodEnd: toIsoOrNull(resetOf(window)) },
		};
	};
}
