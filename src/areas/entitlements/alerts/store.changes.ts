import { and, eq, sql } from "drizzle-orm";
import type { Transaction, Work } from "../../../kernel/work";
import { customerResources } from "../../customers/table";
import {
	type ChangedEntitlementsRow,
	type ChangedWalletRow,
	changedEntitlements,
	changedWallets,
	type EntitlementChangeRow,
	entitlementChanges,
} from "./table";

const { placeholder } = sql;

const statements = (tx: Transaction) => ({
	next: tx.select().from(changedEntitlements).limit(1).prepare(),
	deleteMark: tx
		.delete(changedEntitlements)
		.where(
			and(
				eq(changedEntitlements.customerId, placeholder("customerId")),
				eq(changedEntitlements.resourceId, placeholder("resourceId")),
			),
		)
		.prepare(),
	nextChange: tx.select().from(entitlementChanges).limit(1).prepare(),
	deleteChange: tx
		.delete(entitlementChanges)
		.where(
			and(
				eq(entitlementChanges.customerId, placeholder("customerId")),
				eq(entitlementChanges.resourceId, placeholder("resourceId")),
			),
		)
		.prepare(),
	nextWallet: tx.select().from(changedWallets).limit(1).prepare(),
	deleteChangedWallet: tx
		.delete(changedWallets)
		.where(eq(changedWallets.walletId, placeholder("walletId")))
		.prepare(),
	resources: tx
		.insert(changedEntitlements)
		.select(
			tx
				.select({
					environmentId: customerResources.environmentId,
					customerId: customerResources.customerId,
					resourceId: customerResources.id,
				})
				.from(customerResources)
				.where(eq(customerResources.customerId, placeholder("customerId"))),
		)
		.onConflictDoNothing()
		.prepare(),
});

/** Returns a customer or resource with changed entitlements, of any environment. */
export const findChanged = (work: Work): ChangedEntitlementsRow | undefined => work.prepared(statements).next.get();

export const deleteChanged = (work: Work, { customerId, resourceId }: ChangedEntitlementsRow): void => {
	work.prepared(statements).deleteMark.run({ customerId, resourceId });
};

/** Marks all resources of the customer as changed. */
export const addResources = (work: Work, { customerId }: ChangedEntitlementsRow): void => {
	work.prepared(statements).resources.run({ customerId });
};

/** Returns a customer or resource whose changed entitlements are to be emitted. */
export const findEntitlementChange = (work: Work): EntitlementChangeRow | undefined =>
	work.prepared(statements).nextChange.get();

export const deleteEntitlementChange = (work: Work, { customerId, resourceId }: EntitlementChangeRow): void => {
	work.prepared(statements).deleteChange.run({ customerId, resourceId });
};

/** Returns a wallet with changed credits. */
export const findChangedWallet = (work: Work): ChangedWalletRow | undefined =>
	work.prepared(statements).nextWallet.get();

export const deleteWallet = (work: Work, { walletId }: ChangedWalletRow): void => {
	work.prepared(statements).deleteChangedWallet.run({ walletId });
};
