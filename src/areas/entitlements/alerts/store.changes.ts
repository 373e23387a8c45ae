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
	forget: tx
		.delete(changedEntitlements)
		.where(
			and(
				eq(changedEntitlements.customerId, placeholder("customerId")),
				eq(changedEntitlements.resourceId, placeholder("resourceId")),
			),
		)
		.prepare(),
	nextChange: tx.select().from(entitlementChanges).limit(1).prepare(),
	forgetChange: tx
		.delete(entitlementChanges)
		.where(
			and(
				eq(entitlementChanges.customerId, placeholder("customerId")),
				eq(entitlementChanges.resourceId, placeholder("resourceId")),
			),
		)
		.prepare(),
	nextWallet: tx.select().from(changedWallets).limit(1).prepare(),
	forgetWallet: tx
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

/** One of those who wait to be looked at, in whatever environment. */
export const findChanged = (work: Work): ChangedEntitlementsRow | undefined => work.prepared(statements).next.get();

export const forgetChanged = (work: Work, { customerId, resourceId }: ChangedEntitlementsRow): void => {
	work.prepared(statements).forget.run({ customerId, resourceId });
};

/** Has all resources of the customer wait as well. */
export const addResources = (work: Work, { customerId }: ChangedEntitlementsRow): void => {
	work.prepared(statements).resources.run({ customerId });
};

/** One of those of whom it is to be told. */
export const findEntitlementChange = (work: Work): EntitlementChangeRow | undefined =>
	work.prepared(statements).nextChange.get();

export const forgetEntitlementChange = (work: Work, { customerId, resourceId }: EntitlementChangeRow): void => {
	work.prepared(statements).forgetChange.run({ customerId, resourceId });
};

/** One of the wallets that wait to be looked at. */
export const findChangedWallet = (work: Work): ChangedWalletRow | undefined =>
	work.prepared(statements).nextWallet.get();

export const forgetWallet = (work: Work, { walletId }: ChangedWalletRow): void => {
	work.prepared(statements).forgetWallet.run({ walletId });
};
