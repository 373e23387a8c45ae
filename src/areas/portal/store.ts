import { and, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { amongIds, changeRow, idsIn, insertRow, saveRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { environments } from "../access/table";
import { customers } from "../customers/table";
import {
	type CheckoutRow,
	type CustomerSessionRow,
	checkouts,
	customerSessions,
	type PortalSettingsRow,
	portalSettings,
} from "./table";

// The session determines the environment, so this query is not scoped by one.

const sessionByHash = (tx: Transaction) =>
	tx
		.select({ session: customerSessions, environment: environments, customerArchivedAt: customers.archivedAt })
		.from(customerSessions)
		.innerJoin(environments, eq(environments.id, customerSessions.environmentId))
		.innerJoin(customers, eq(customers.id, customerSessions.customerId))
		.where(eq(customerSessions.tokenHash, sql.placeholder("hash")))
		.prepare();

export const findSessionByHash = (work: Work, hash: string) => work.prepared(sessionByHash).get({ hash });

export const findSession = ({ tx, actor }: Work, id: string): CustomerSessionRow | undefined =>
	tx
		.select()
		.from(customerSessions)
		.where(and(eq(customerSessions.environmentId, actor.environmentId), eq(customerSessions.id, id)))
		.get();

export const insertSession = (
	work: Work,
	session: Omit<CustomerSessionRow, "id" | "environmentId" | "createdAt">,
): CustomerSessionRow =>
	insertRow(work, customerSessions, {
		...session,
		id: work.newId(),
		environmentId: work.actor.environmentId,
		createdAt: work.machineNow,
	});

export const deleteSession = ({ tx, actor }: Work, id: string): void => {
	tx.delete(customerSessions)
		.where(and(eq(customerSessions.environmentId, actor.environmentId), eq(customerSessions.id, id)))
		.run();
};

/** Deletes expired sessions of all environments and returns their number. */
export function deleteExpiredSessions({ tx, machineNow }: Work, rowsMax: number): number {
	const expired = tx
		.select({ id: customerSessions.id })
		.from(customerSessions)
		.where(lte(customerSessions.expiresAt, machineNow))
		.limit(rowsMax);
	return tx
		.delete(customerSessions)
		.where(inArray(customerSessions.id, expired))
		.returning({ id: customerSessions.id })
		.all().length;
}

export const insertCheckout = (
	work: Work,
	checkout: Omit<CheckoutRow, "id" | "environmentId" | "createdAt" | "completedAt" | "subscriptionId">,
): CheckoutRow =>
	insertRow(work, checkouts, {
		...checkout,
		id: work.newId(),
		environmentId: work.actor.environmentId,
		completedAt: null,
		subscriptionId: null,
		createdAt: work.now,
	});

export const findCheckout = ({ tx, actor }: Work, id: string): CheckoutRow | undefined =>
	tx
		.select()
		.from(checkouts)
		.where(and(eq(checkouts.environmentId, actor.environmentId), eq(checkouts.id, id)))
		.get();

export const findCheckoutOfSession = ({ tx, actor }: Work, sessionId: string): CheckoutRow | undefined =>
	tx
		.select()
		.from(checkouts)
		.where(and(eq(checkouts.environmentId, actor.environmentId), eq(checkouts.sessionId, sessionId)))
		.get();

export const completeCheckout = (work: Work, { id }: CheckoutRow, subscriptionId: string): CheckoutRow =>
	changeRow(work, checkouts, id, { completedAt: work.now, subscriptionId });

/** Deletes unconfirmed checkouts of all environments and returns their number. */
export function deleteAbandonedCheckouts({ tx }: Work, before: Instant, rowsMax: number): number {
	const expired = tx
		.select({ id: checkouts.id })
		.from(checkouts)
		.where(and(lte(checkouts.expiresAt, before), isNull(checkouts.completedAt)))
		.limit(rowsMax);
	return tx.delete(checkouts).where(inArray(checkouts.id, expired)).returning({ id: checkouts.id }).all().length;
}

export const selectSettings = (work: Work, productIds: readonly string[]): PortalSettingsRow[] =>
	productIds.length === 0 ? [] : work.prepared(settingsAmong).all(idsIn(work, productIds));

const settingsAmong = (tx: Transaction) =>
	tx.select().from(portalSettings).where(amongIds(portalSettings.environmentId, portalSettings.productId)).prepare();

export const saveSettings = (work: Work, settings: Omit<PortalSettingsRow, "environmentId">): void =>
	saveRow(work, portalSettings, { ...settings, environmentId: work.actor.environmentId });
