import { and, eq, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { type Decimal, plus, zero } from "../../kernel/decimal";
import { saveRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { creditUsage } from "./table";

const lengths = { hour: 3_600_000, day: 86_400_000 } as const;
export type UsageSpan = keyof typeof lengths;

/** The beginning of the hour or the day, UTC. */
export const spanStart = (span: UsageSpan, at: Instant): Instant =>
	(Math.floor(at / lengths[span]) * lengths[span]) as Instant;

interface Used {
	readonly at: Instant;
	readonly featureId: string | null;
	readonly amount: Decimal;
	/** One where it is left out. */
	readonly events?: number | null;
}

/** Adds what a wallet has consumed to its hours and days. */
export function addUsage(work: Work, walletId: string, used: readonly Used[]): void {
	for (const span of ["hour", "day"] as const)
		for (const [key, those] of Map.groupBy(used, ({ at, featureId }) => `${spanStart(span, at)}/${featureId ?? ""}`)) {
			const [start = "", featureId = ""] = key.split("/");
			const row = { walletId, span, featureId, at: Number(start) as Instant };
			const before = work.prepared(usageOf).get(row) ?? { amount: zero, events: 0 };
			saveRow(work, creditUsage, {
				...row,
				amount: those.reduce((total, { amount }) => plus(total, amount), before.amount),
				events: those.reduce((total, { events }) => total + (events ?? 1), before.events),
			});
		}
}

const usageOf = (tx: Transaction) =>
	tx
		.select({ amount: creditUsage.amount, events: creditUsage.events })
		.from(creditUsage)
		.where(
			and(
				eq(creditUsage.walletId, sql.placeholder("walletId")),
				eq(creditUsage.span, sql.placeholder("span")),
				eq(creditUsage.at, sql.placeholder("at")),
				eq(creditUsage.featureId, sql.placeholder("featureId")),
			),
		)
		.prepare();
