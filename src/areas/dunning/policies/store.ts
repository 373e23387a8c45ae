import { and, asc, eq, gte, isNull, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { createdWithin, type Page, readTablePage } from "../../../kernel/page";
import { queryValues } from "../../../kernel/query";
import { amongIds, archivedAs, changeRow, idsIn, insertRow, newRow, saveRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import type { DunningPolicyListQuery } from "./schema";
import { type CustomerDunningRow, customerDunning, type DunningPolicyRow, dunningPolicies } from "./table";

const { placeholder } = sql;

const inEnvironment = ({ actor }: Work): SQL => eq(dunningPolicies.environmentId, actor.environmentId);

const active = (tx: Transaction) =>
	tx
		.select()
		.from(dunningPolicies)
		.where(and(eq(dunningPolicies.environmentId, placeholder("environmentId")), isNull(dunningPolicies.archivedAt)))
		.orderBy(asc(dunningPolicies.id))
		.prepare();

/** Returns the active policies of the environment. `createPolicy` bounds their number. */
export const selectActivePolicies = (work: Work): DunningPolicyRow[] =>
	work.remembered(active).all({ environmentId: work.actor.environmentId });

const any = (tx: Transaction) =>
	tx
		.select({ id: dunningPolicies.id })
		.from(dunningPolicies)
		.where(eq(dunningPolicies.environmentId, placeholder("environmentId")))
		.limit(1)
		.prepare();

/** Whether the environment has or had a policy. */
export const hasPolicies = (work: Work): boolean =>
	work.remembered(any).get({ environmentId: work.actor.environmentId }) !== undefined;

const changedSince = (tx: Transaction) =>
	tx
		.select({ id: dunningPolicies.id })
		.from(dunningPolicies)
		.where(
			and(
				eq(dunningPolicies.environmentId, placeholder("environmentId")),
				gte(dunningPolicies.updatedAt, placeholder("since")),
			),
		)
		.limit(1)
		.prepare();

export const hasPolicyChangedSince = (work: Work, since: Instant): boolean =>
	work.prepared(changedSince).get({ environmentId: work.actor.environmentId, since }) !== undefined;

const byRef = (tx: Transaction) =>
	tx.select().from(dunningPolicies).where(amongIds(dunningPolicies.environmentId, dunningPolicies.refId)).prepare();

export const findPolicy = (work: Work, refId: string): DunningPolicyRow | undefined =>
	work.prepared(byRef).all(idsIn(work, [refId]))[0];

const byId = (tx: Transaction) =>
	tx.select().from(dunningPolicies).where(amongIds(dunningPolicies.environmentId, dunningPolicies.id)).prepare();

/** Returns policies by row id. */
export const selectPolicies = (work: Work, ids: readonly string[]): DunningPolicyRow[] =>
	ids.length === 0 ? [] : work.prepared(byId).all(idsIn(work, ids));

export const pagePolicies = (work: Work, query: DunningPolicyListQuery): Page<DunningPolicyRow> =>
	readTablePage(work, query, dunningPolicies, inEnvironment(work), [
		archivedAs(dunningPolicies.archivedAt, queryValues(query.status)),
		...createdWithin(query, dunningPolicies.createdAt),
	]);

type Columns = Omit<DunningPolicyRow, "id" | "environmentId" | "refId" | "archivedAt" | "createdAt" | "updatedAt">;

export const insertPolicy = (work: Work, policy: Columns & Pick<DunningPolicyRow, "refId">): DunningPolicyRow =>
	insertRow(work, dunningPolicies, { ...policy, ...newRow(work) });

export const savePolicy = (
	work: Work,
	{ id }: DunningPolicyRow,
	changes: Partial<Columns & Pick<DunningPolicyRow, "archivedAt">>,
): DunningPolicyRow => changeRow(work, dunningPolicies, id, { ...changes, updatedAt: work.now });

const ofCustomer = (tx: Transaction) =>
	tx
		.select()
		.from(customerDunning)
		.where(
			and(
				eq(customerDunning.environmentId, placeholder("environmentId")),
				eq(customerDunning.customerId, placeholder("customerId")),
			),
		)
		.prepare();

/** Returns the row of a customer, also a removed one. */
const rowOfCustomer = (work: Work, customerId: string): CustomerDunningRow | undefined =>
	work.prepared(ofCustomer).get({ environmentId: work.actor.environmentId, customerId });

export function findOfCustomer(work: Work, customerId: string): CustomerDunningRow | undefined {
	const row = rowOfCustomer(work, customerId);
	return row?.removedAt === null ? row : undefined;
}

/** Returns when the customer's own policy or exemption last changed or was removed. */
export const changeOfCustomer = (work: Work, customerId: string): Instant | null =>
	rowOfCustomer(work, customerId)?.updatedAt ?? null;

export const saveOfCustomer = (work: Work, row: Pick<CustomerDunningRow, "customerId" | "policyId">): void =>
	saveRow(work, customerDunning, {
		...row,
		environmentId: work.actor.environmentId,
		removedAt: null,
		createdAt: rowOfCustomer(work, row.customerId)?.createdAt ?? work.now,
		updatedAt: work.now,
	});

export const removeOfCustomer = ({ tx, actor, now }: Work, customerId: string): void => {
	tx.update(customerDunning)
		.set({ policyId: null, removedAt: now, updatedAt: now })
		.where(and(eq(customerDunning.environmentId, actor.environmentId), eq(customerDunning.customerId, customerId)))
		.run();
};
