import { Value } from "@sinclair/typebox/value";
import type { Instant } from "../../../kernel/clock";
import { RefId } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import type { Dimensions } from "../../pricing/models/formula";
import { levelsMax } from "../placement/rules";
import { attributionsOf } from "../rules.attribution";
import { shownAssignments } from "../shown/operations";
import { hasCreatedMore, insertEntity, selectAttributing, selectEntity } from "../store";
import {
	type ChainedAssignment,
	insertAssignment,
	insertNode,
	placeNode,
	selectChain,
	selectNodesOf,
} from "../store.assignments";
import type { BudgetAssignmentRow, DefaultAssignment, EntityRow } from "../table";
import { putInTree } from "../tree/operations.update";

/** Our choice (docs/interface/governance.md#templates): a wrong dimension, such as the id of a request, creates no more rows. */
const createdMax = 10_000;

/** A use that may name entities. */
export interface NamingUse {
	/** Row id. */
	readonly customerId: string;
	readonly dimensions: Dimensions | null | undefined;
	/** The budgets of a created entity begin here, so that they count the use. */
	readonly at: Instant;
}

/** An entity that does not exist, and that a counted use creates. */
export interface NamedEntity {
	readonly refId: string;
	readonly typeId: string;
	readonly budgets: readonly DefaultAssignment[];
	/** An entity, or one that the same use creates; null for a root. */
	readonly parent: EntityRow | NamedEntity | null;
}

const nothing: readonly NamedEntity[] = [];

/**
 * Returns the entities that a use creates, parents first. None while the customer has `createdMax` entities that usage has created. An entity
 * whose parent is missing or archived is not created: its usage would count without the parent's limit.
 */
export function namedEntities(
	work: Work,
	{ customerId, dimensions }: Pick<NamingUse, "customerId" | "dimensions">,
): readonly NamedEntity[] {
	const types = selectAttributing(work);
	if (!dimensions || !types.some(({ createsEntities }) => createsEntities)) return nothing;
	const attributions = attributionsOf(types, dimensions);
	const resolved = new Map<string, EntityRow | NamedEntity | undefined>();
	const created: NamedEntity[] = [];
	const entityOf = (typeId: string): EntityRow | NamedEntity | undefined => {
		if (!resolved.has(typeId)) resolved.set(typeId, resolve(typeId));
		return resolved.get(typeId);
	};
	const resolve = (typeId: string): EntityRow | NamedEntity | undefined => {
		const refId = attributions.find((one) => one.typeId === typeId)?.entityRef;
		const type = types.find(({ id }) => id === typeId);
		if (refId === undefined || !type) return undefined;
		const known = selectEntity(work, customerId, refId);
		if (known) return known.typeId === typeId && known.archivedAt === null ? known : undefined;
		if (!type.createsEntities || !Value.Check(RefId, refId)) return undefined;
		const parent = type.parentTypeId === null ? null : entityOf(type.parentTypeId);
		// The ids of a customer's entities are unique, whatever their type.
		if (parent === undefined || created.some((one) => one.refId === refId)) return undefined;
		const one = { refId, typeId, budgets: type.defaultAssignments, parent };
		created.push(one);
		return one;
	};
	for (const { typeId } of attributions) entityOf(typeId);
	const isFull = created.length > 0 && hasCreatedMore(work, customerId, createdMax - created.length);
	return isFull ? nothing : created;
}

/** Whether an entity that usage creates has a budget for a feature or currency. */
export const hasDefaultBudgets = (work: Work, capabilityId: string): boolean =>
	selectAttributing(work).some(
		({ createsEntities, defaultAssignments }) =>
			createsEntities && defaultAssignments.some((one) => one.capabilityId === capabilityId),
	);

/** Returns the budgets of an entity that a use creates, and of its ancestors, as `selectChain` will return them. */
export function chainOfNamed(
	work: Work,
	named: NamedEntity,
	capabilityId: string,
	beginsAt: Instant,
): ChainedAssignment[] {
	const { refId, budgets, parent } = named;
	const budget = budgets.find((one) => one.capabilityId === capabilityId);
	if (!budget) return [];
	const above =
		parent === null
			? []
			: isNamed(parent)
				? chainOfNamed(work, parent, capabilityId, beginsAt)
				: selectChain(work, parent.id, capabilityId);
	if (new Set(above.map(({ nodeId }) => nodeId)).size >= levelsMax) return [];
	// No row has this id.
	const id = `${refId} ${capabilityId}`;
	const own: ChainedAssignment = {
		...{ id, nodeId: id, entityId: id, entityRef: refId, displayName: null, scope: "", allocates: 0 },
		...{ usageLimit: budget.usageLimit, hasSoftLimit: false, cadence: budget.cadence, anchorAt: beginsAt },
	};
	return [own, ...above];
}

/** Creates the entities that a counted use names. It never refuses. */
export function createNamedEntities(work: Work, use: NamingUse): void {
	const named = namedEntities(work, use);
	const rows = new Map<NamedEntity, EntityRow>();
	for (const one of named) {
		const { refId, typeId, parent, budgets } = one;
		const entity = insertEntity(work, {
			...{ customerId: use.customerId, refId, typeId, isCreated: true },
			...{ displayName: null, metadata: {}, expiresAt: null, nextDueAt: null },
		});
		rows.set(one, entity);
		assignDefaults(work, entity, parent && isNamed(parent) ? rows.get(parent) : parent, budgets, beginOf(work, use));
	}
	if (named.length > 0) work.usageChanged(use.customerId);
}

/** The budgets of a created entity count the use, also one that is reported late. */
export const beginOf = ({ now }: Pick<Work, "now">, { at }: Pick<NamingUse, "at">): Instant => (at < now ? at : now);

/** A parent without a budget for the same feature or currency leaves the budget a root. One on the last level has no children. */
function assignDefaults(
	work: Work,
	{ id: entityId, customerId }: EntityRow,
	parent: EntityRow | null | undefined,
	budgets: readonly DefaultAssignment[],
	anchorAt: Instant,
): void {
	const rows = budgets.flatMap(({ capability, capabilityId, usageLimit, cadence }): BudgetAssignmentRow[] => {
		const [above] = parent ? selectNodesOf(work, [parent.id], [capabilityId]) : [];
		if (above && above.ancestors.length + 1 >= levelsMax) return [];
		const node = insertNode(work, { customerId, entityId, capability, capabilityId });
		if (above) placeNode(work, node.id, [above.id, ...above.ancestors]);
		const row: BudgetAssignmentRow = {
			...{ id: work.newId(), environmentId: work.actor.environmentId, customerId, nodeId: node.id, scope: "" },
			...{ usageLimit, hasSoftLimit: false, allocatedFrom: null, cadence, anchorAt },
			...{ createdAt: work.now, updatedAt: work.now },
		};
		insertAssignment(work, row);
		return [row];
	});
	putInTree(work, shownAssignments(work, rows));
}

const isNamed = (one: EntityRow | NamedEntity): one is NamedEntity => !("id" in one);
