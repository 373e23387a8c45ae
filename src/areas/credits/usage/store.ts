import { and, eq, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { type Decimal, minus, plus, zero } from "../../../kernel/decimal";
import { saveRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import type { Dimensions } from "../../pricing/models/formula";
import { creditEntries, creditUsage } from "../table";

const lengths = { hour: 3_600_000, day: 86_400_000 } as const;
export type UsageSpan = keyof typeof lengths;

/** The beginning of the hour or the day, UTC. */
export const spanStart = (span: UsageSpan, at: Instant): Instant =>
	(Math.floor(at / lengths[span]) * lengths[span]) as Instant;

interface NewUsage {
	readonly at: Instant;
	readonly featureId: string | null;
	readonly amount: Decimal;
	/** Default: one. */
	readonly events?: number | null;
}

/** Adds the consumption of a wallet to its hours and days. */
export function addUsage(work: Work, walletId: string, used: readonly NewUsage[]): void {
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

/** A range of whole hours or days. `to` is exclusive. */
export interface Spans {
	readonly span: UsageSpan;
	readonly from: Instant;
	readonly to: Instant;
}

export interface ConsumedInSpan {
	readonly walletId: string;
	/** Empty for consumption without a feature. */
	readonly featureId: string;
	readonly at: Instant;
	readonly amount: Decimal;
	readonly events: number;
}

/** Returns the consumption of wallets by feature and by hour or day, at most `rowsMax` rows. */
export const selectConsumed = (
	{ tx }: Work,
	walletIds: readonly string[],
	{ span, from, to }: Spans,
	rowsMax: number,
): ConsumedInSpan[] =>
	tx
		.values<[string, string, Instant, Decimal, number]>(
			sql`select wallet_id, feature_id, at, amount, events from ${creditUsage}
				where wallet_id in (select value from json_each(${JSON.stringify(walletIds)}))
				and span = ${span} and at >= ${from} and at < ${to} limit ${rowsMax}`,
		)
		.map(([walletId, featureId, at, amount, events]) => ({ walletId, featureId, at, amount, events }));

export interface TaggedEntry {
	readonly featureId: string;
	readonly eventId: string | null;
	/** The beginning of the hour or day. */
	readonly at: Instant;
	/** Less than zero for reversals. */
	readonly amount: Decimal;
	readonly events: number;
	readonly dimensions: Dimensions;
}

/** Returns the entries with dimensions of wallets, at most `rowsMax`. */
export const selectTagged = (
	{ tx }: Work,
	walletIds: readonly string[],
	{ span, from, to }: Spans,
	rowsMax: number,
): TaggedEntry[] =>
	tx
		.values<[string | null, string | null, Instant, Decimal, number, number, string]>(
			sql`select feature_id, event_id, at, amount, coalesce(events, 1), event_type = 'CREDITS_CONSUMED', dimensions from ${creditEntries}
				where wallet_id in (select value from json_each(${JSON.stringify(walletIds)}))
				and at >= ${from} and at < ${to}
				and dimensions is not null limit ${rowsMax}`,
		)
		.map(([featureId, eventId, at, amount, events, isConsumed, dimensions]) => ({
			featureId: featureId ?? "",
			eventId,
			at: spanStart(span, at),
			...(isConsumed === 1 ? { amount, events } : { amount: minus(zero, amount), events: -events }),
			dimensions: JSON.parse(dimensions),
		}));
