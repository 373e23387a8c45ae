import { type Instant, toIso, toIsoOrNull } from "../../../kernel/clock";
import { type Decimal, toWire, toWireOrNull, zero } from "../../../kernel/decimal";
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
import { viewCapability } from "../view.capability";
import { sortedPage } from "./operations.sorted";
import { encodePlace } from "./rules.cursor";
import { capabilitiesOfCustomer } from "./store";

export interface TreePage {
	readonly data: GovernanceNode[];
	readonly pagination: { readonly next: string | null };
}

/** Returns a page of a customer's budgets. Without features and currencies, it shows the tree alone unless the query includes usage. */
export function readTree(work: Work, customerRef: string, query: TreeQuery): TreePage {
	assertGovernance(work);
	const customer = getCustomer(work, customerRef);
	const ofAll = query.includeUsage === "true" ? capabilitiesOfCustomer(work, customer.id) : undefined;
	const capabilityIds = capabilitiesOf(work, query) ?? ofAll;
	const { rows, next } = pageOfTree(work, customer.id, capabilityIds, query);
	return { data: rows.map(nodeView(work, customer.id, capabilityIds && rows)), pagination: { next } };
}

export interface BudgetPage {
	readonly rows: readonly ShownAssignment[];
	/** The cursor of the next page; null on the last one. */
	readonly next: string | null;
}

/** Returns a page of the budgets of a customer (row id), in the order of their usage unless `query` says otherwise. `isShown` limits it to some. */
export const pageOfBudgets = (
	work: Work,
	customerId: string,
	query: TreeQuery,
	isShown?: (assignmentId: string) => boolean,
): BudgetPage =>
	pageOfTree(work, customerId, capabilitiesOf(work, query) ?? capabilitiesOfCustomer(work, customerId), query, isShown);

function pageOfTree(
	work: Work,
	customerId: string,
	capabilityIds: readonly string[] | undefined,
	query: TreeQuery,
	isShown?: (assignmentId: string) => boolean,
): BudgetPage {
	const { rows, next } = sortedPage(work, customerId, capabilityIds, query, isShown);
	const byId = shownAssignmentsByIds(
		work,
		rows.map(({ id }) => id),
	);
	return { rows: rows.flatMap(({ id }) => byId.get(id) ?? []), next: next && encodePlace(next) };
}

/** Returns a function that shows budgets of a customer (row id). It shows the usage of `counted`, or none. */
export function nodeView(
	work: Work,
	customerId: string,
	counted: readonly ShownAssignment[] | undefined,
): (row: ShownAssignment) => GovernanceNode {
	const types = selectTypes(work);
	const typeRefOf = (typeId: string): string => types.find(({ id }) => id === typeId)?.refId ?? "";
	const readUsage = counted && usageReader(work, customerId, counted);
	const usageOf = (row: ShownAssignment): NodeUsage => (readUsage ? viewUsage(row, readUsage(row)) : withoutUsage);
	return (row) => ({ ...viewPlace(row, typeRefOf(row.entity.typeId)), ...usageOf(row) });
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

const withoutUsage: NodeUsage = {
	...{ usageLimit: null, cadence: null, currentUsage: null, utilization: null },
	...{ usagePeriodStart: null, usagePeriodEnd: null },
};

const viewUsage = ({ cadence }: ShownAssignment, { usageLimit, usage, ...counted }: WindowUsage): NodeUsage => ({
	...{ usageLimit: toWireOrNull(usageLimit), cadence, currentUsage: toWire(usage) },
	...(counted.reserved !== zero && { reservedUsage: toWire(counted.reserved) }),
	utilization: counted.utilization,
	...{ usagePeriodStart: toIso(counted.start), usagePeriodEnd: toIsoOrNull(counted.end) },
});

/** The usage of a budget in its current window. */
export interface WindowUsage {
	readonly usageLimit: Decimal | null;
	/** In the units of the limit, as `reserved`. */
	readonly usage: Decimal;
	readonly reserved: Decimal;
	readonly utilization: number | null;
	readonly start: Instant;
	/** Null if the usage never resets. */
	readonly end: Instant | null;
}

/** Returns a function that reads the usage of one of `rows`, budgets of a customer (row id). */
export function usageReader(
	work: Work,
	customerId: string,
	rows: readonly ShownAssignment[],
): (row: ShownAssignment) => WindowUsage {
	const features = featuresByIds(work, [
		...new Set(rows.flatMap(({ node }) => (node.capability === "FEATURE" ? node.capabilityId : []))),
	]);
	const counted = countedUsage(work, { customerId, at: work.now });
	return (row) => {
		const units: UnitTransformation | null = features.get(row.node.capabilityId)?.unitTransformation ?? null;
		const { usageLimit, window, used, reserved } = counted(row);
		const usage = convertUnits(used, units);
		const utilization = utilizationOf(usage, usageLimit);
		const held = convertUnits(reserved, units);
		return { usageLimit, usage, reserved: held, utilization, start: window.start, end: resetOf(window) };
	};
}
