import { and, asc, eq, gt, inArray, isNull, lte, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { type Page, readPage, readPageByTime } from "../../kernel/page";
import { addDays } from "../../kernel/period";
import { queryValues } from "../../kernel/query";
import { beginsWith, foundIds } from "../../kernel/search";
import { amongIds, idsIn, insertRow, insertRows, writeColumns } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { subscriptions } from "../subscriptions/table";
import { writeEventsAtEnd } from "./events";
import { type BillingPhase, shownState } from "./rules.states";
import type { ContractListQuery, ContractState } from "./schema";
import { type ContractRow, contractSubscriptions, contracts } from "./table";

/** A contract with its current state. */
export type StatedContract = ContractRow & { readonly state: ContractState };

const inEnvironment = ({ actor }: Work): SQL | undefined => eq(contracts.environmentId, actor.environmentId);

/**
 * CANCELED if archived, else ACTIVE while one of its subscriptions is active or its billing is live; dates do not
 * matter (docs/interface/contracts.md). It is SQL, so that lists can filter by it.
 */
export function stateOf(tx: Transaction, now: Instant | Placeholder): SQL<ContractState> {
	const runs = tx
		.select({ one: sql`1` })
		.from(contractSubscriptions)
		.innerJoin(subscriptions, eq(subscriptions.id, contractSubscriptions.subscriptionId))
		.where(
			and(
				eq(contractSubscriptions.contractId, contracts.id),
				inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL"]),
				or(isNull(subscriptions.effectiveEndAt), gt(subscriptions.effectiveEndAt, now)),
			),
		);
	return sql`CASE
		WHEN ${contracts.archivedAt} IS NOT NULL THEN 'CANCELED'
		WHEN ${contracts.billingState} = 'ACTIVE' OR EXISTS ${runs} THEN 'ACTIVE'
		WHEN ${contracts.billingState} = 'END_BILLING' THEN 'END_BILLING'
		ELSE 'DRAFT' END`;
}

const selectStated = (tx: Transaction, now: Instant | Placeholder = sql.placeholder("now")) =>
	tx.select({ contract: contracts, state: stateOf(tx, now).as("state") }).from(contracts);

const stated = ({ contract, state }: { contract: ContractRow; state: ContractState }): StatedContract => ({
	...contract,
	state,
});

export function findContract(work: Work, refId: string): StatedContract | undefined {
	const { actor, now, prepared } = work;
	const found = prepared(statedByRef).get({ environmentId: actor.environmentId, refId, now });
	return found && stated(found);
}

const statedByRef = (tx: Transaction) =>
	selectStated(tx)
		.where(
			and(eq(contracts.environmentId, sql.placeholder("environmentId")), eq(contracts.refId, sql.placeholder("refId"))),
		)
		.prepare();

/** Row id → row. */
export const contractsByIds = (work: Work, ids: readonly string[]): Map<string, StatedContract> =>
	new Map(
		ids.length === 0
			? []
			: work
					.prepared(statedAmong)
					.all({ ...idsIn(work, ids), now: work.now })
					.map((found) => [found.contract.id, stated(found)]),
	);

const statedAmong = (tx: Transaction) =>
	selectStated(tx).where(amongIds(contracts.environmentId, contracts.id)).prepare();

/** Ids and names that begin with the text, in any case of ASCII letters. */
const foundBy = (work: Work, text: string): SQL =>
	foundIds(
		contracts.id,
		contracts,
		[beginsWith(contracts.refId, text), beginsWith(sql`${contracts.name} collate nocase`, text)].map((condition) =>
			and(inEnvironment(work), condition),
		),
	);

/** `customerId` is the row id; null for a customer that does not exist. */
export function pageContracts(
	work: Work,
	query: ContractListQuery,
	customerId: string | null | undefined,
): Page<StatedContract> {
	const states = queryValues(query.state);
	const asked = and(
		inEnvironment(work),
		customerId === undefined ? undefined : eq(contracts.customerId, customerId ?? ""),
		query.name === undefined ? undefined : eq(contracts.name, query.name),
		query.search === undefined ? undefined : foundBy(work, query.search),
		states && inArray(stateOf(work.tx, work.now), states),
	);
	const read = (where: SQL | undefined, order: SQL[], rowsMax: number): StatedContract[] =>
		selectStated(work.tx, work.now)
			.where(and(asked, where))
			.orderBy(...order)
			.limit(rowsMax)
			.all()
			.map(stated);
	const { expiresWithinDays: days } = query;
	if (days === undefined)
		return readPage(
			query,
			contracts.id,
			(cursor) => rowOf(work, cursor) !== undefined,
			(beyondCursor, order, rowsMax) => read(beyondCursor, [order], rowsMax),
		);
	return readPageByTime(
		query,
		{ time: contracts.activationEndAt, id: contracts.id },
		(cursor) => rowOf(work, cursor)?.activationEndAt,
		(beyondCursor, order, rowsMax) => read(and(beyondCursor, expires(work, days)), order, rowsMax),
	);
}

/** Active contracts that end by then without an agreed next term. */
const expires = (work: Work, days: string): SQL | undefined =>
	and(
		isNull(contracts.renewal),
		isNull(contracts.archivedAt),
		gt(contracts.activationEndAt, work.now),
		lte(contracts.activationEndAt, addDays(work.now, Number(days))),
		eq(stateOf(work.tx, work.now), "ACTIVE"),
	);

export type NewContract = Pick<
	ContractRow,
	"customerId" | "name" | "poNumber" | "billingState" | "activationStartAt" | "activationEndAt" | "renewal"
>;

/** Without a `refId` the row id identifies the contract. */
export function insertContract(work: Work, refId: string | undefined, contract: NewContract): ContractRow {
	const id = work.newId();
	tell(work, id, undefined);
	return insertRow(work, contracts, {
		...contract,
		id,
		refId: refId ?? id,
		environmentId: work.actor.environmentId,
		createdAt: work.now,
		updatedAt: work.now,
	});
}

type Changes = Partial<
	Pick<ContractRow, "name" | "poNumber" | "activationStartAt" | "activationEndAt" | "archivedAt" | "note" | "renewal">
>;

const tell = (work: Work, id: string, before: ContractRow | undefined): void =>
	writeEventsAtEnd(work, id, before, () => rowOf(work, id));

const rowOf = ({ tx, actor }: Work, id: string): ContractRow | undefined =>
	tx
		.select()
		.from(contracts)
		.where(and(eq(contracts.environmentId, actor.environmentId), eq(contracts.id, id)))
		.get();

export const changeContract = (work: Work, { id }: Pick<ContractRow, "id">, changes: Changes): void => {
	tell(work, id, rowOf(work, id));
	writeColumns(work, contracts, id, { ...changes, updatedAt: work.now });
};

/** The only function that writes the state of the billing half; `rules.states.ts` has the allowed phases. */
export function setBillingPhase(work: Work, contract: ContractRow, phase: BillingPhase): void {
	tell(work, contract.id, rowOf(work, contract.id));
	writeColumns(work, contracts, contract.id, {
		billingState: shownState(phase),
		amendingSince: phase === "AMENDING" ? (contract.amendingSince ?? work.now) : null,
		updatedAt: work.now,
	});
}

/** Replaces the subscriptions (row ids) of a contract, in this order. */
export function saveMembers(work: Work, { id }: Pick<ContractRow, "id">, subscriptionIds: readonly string[]): void {
	work.tx
		.delete(contractSubscriptions)
		.where(
			and(eq(contractSubscriptions.environmentId, work.actor.environmentId), eq(contractSubscriptions.contractId, id)),
		)
		.run();
	insertRows(
		work,
		contractSubscriptions,
		subscriptionIds.map((subscriptionId, position) => ({
			subscriptionId,
			position,
			contractId: id,
			environmentId: work.actor.environmentId,
			createdAt: work.now,
		})),
	);
}

/**
 * Returns the row ids of subscriptions by contract id, in order. At most a page of contracts with a hundred
 * subscriptions each.
 */
export function membersOf(work: Work, contractIds: readonly string[]): Map<string, string[]> {
	if (contractIds.length === 0) return new Map();
	const links = work.prepared(linksAmong).all(idsIn(work, contractIds));
	const grouped = Map.groupBy(links, ({ contractId }) => contractId);
	return new Map([...grouped].map(([contractId, rows]) => [contractId, rows.map((row) => row.subscriptionId)]));
}

const linksAmong = (tx: Transaction) =>
	tx
		.select()
		.from(contractSubscriptions)
		.where(amongIds(contractSubscriptions.environmentId, contractSubscriptions.contractId))
		.orderBy(asc(contractSubscriptions.contractId), asc(contractSubscriptions.position))
		.prepare();
