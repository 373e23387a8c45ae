import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { insertRow, newRow, writeColumns } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type CreditAutoRechargeRow, creditAutoRecharges } from "../table";

/** Row ids. */
export interface RechargeOf {
	readonly customerId: string;
	readonly currencyId: string;
}

const statements = (tx: Transaction) => ({
	of: tx
		.select()
		.from(creditAutoRecharges)
		.where(
			and(
				eq(creditAutoRecharges.customerId, sql.placeholder("customerId")),
				eq(creditAutoRecharges.currencyId, sql.placeholder("currencyId")),
			),
		)
		.prepare(),
	dueAt: tx
		.select()
		.from(creditAutoRecharges)
		.where(
			and(
				eq(creditAutoRecharges.environmentId, sql.placeholder("environmentId")),
				eq(creditAutoRecharges.nextDueAt, sql.placeholder("dueAt")),
				isNotNull(creditAutoRecharges.nextDueAt),
			),
		)
		.limit(1)
		.prepare(),
});

export const findRecharge = (work: Work, { customerId, currencyId }: RechargeOf): CreditAutoRechargeRow | undefined =>
	work.prepared(statements).of.get({ customerId, currencyId });

/** Returns one of the recharges of the environment that are due at exactly this time. */
export const firstRechargeDueAt = (work: Work, dueAt: Instant): CreditAutoRechargeRow | undefined =>
	work.prepared(statements).dueAt.get({ environmentId: work.actor.environmentId, dueAt });

export type RechargeChanges = Partial<
	Omit<CreditAutoRechargeRow, "id" | "environmentId" | keyof RechargeOf | "createdAt" | "updatedAt">
>;

export const insertRecharge = (
	work: Work,
	row: Omit<CreditAutoRechargeRow, keyof ReturnType<typeof newRow>>,
): CreditAutoRechargeRow => insertRow(work, creditAutoRecharges, { ...newRow(work), ...row });

/** Writes changes. Only changes by callers set `updatedAt`. */
export function saveRecharge(
	work: Work,
	row: CreditAutoRechargeRow,
	changes: RechargeChanges & { readonly updatedAt?: Instant },
): CreditAutoRechargeRow {
	writeColumns(work, creditAutoRecharges, row.id, changes);
	return { ...row, ...changes };
}
