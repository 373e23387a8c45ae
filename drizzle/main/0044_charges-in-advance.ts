import type { Database } from "bun:sqlite";
import { unpackText } from "../../src/kernel/storage/packed-text";

/** The charge in advance of a subscription, as earlier releases stored it. */
interface Charged {
	readonly period: { readonly start: number; readonly end: number };
	readonly from?: number;
	readonly currency: string;
	readonly items: readonly Item[];
	readonly coupon: unknown;
	readonly taxPercentage: string | null;
	readonly minimum: unknown;
	readonly elsewhere?: true;
	readonly setAgainst?: Charged;
}

interface Item {
	readonly addonRefId?: string | null;
	readonly featureRefId?: string | null;
	readonly charge: { readonly billingModel: string };
	readonly chargeId?: string | null;
	readonly isGivenBack?: true;
	readonly left?: { readonly part: string; readonly whole: string };
}

interface Row {
	readonly id: string;
	readonly environment_id: string;
	readonly charged: string | Uint8Array;
	readonly billing_period: string | null;
	readonly billing_anchor_at: number | null;
	readonly updated_at: number;
}

const rowsAtOnce = 500;
const noAmounts = JSON.stringify({ subTotal: "0", discount: "0", tax: "0", total: "0" });

/** Moves the charge in advance of each subscription to charges with their periods. SQL cannot read compressed values. */
export function move(sqlite: Database): void {
	const read = sqlite.query<Row, [string, number]>(
		`SELECT id, environment_id, charged, billing_period, billing_anchor_at, updated_at FROM subscriptions
		WHERE charged IS NOT NULL AND id > ? ORDER BY id LIMIT ?`,
	);
	const mark = sqlite.prepare(
		"UPDATE subscriptions SET charged_from = ?, charged_currency = ?, charged_minimum = ? WHERE id = ?",
	);
	const insert = inserting(sqlite);
	for (let after = ""; ; ) {
		const rows = read.all(after, rowsAtOnce);
		for (const row of rows) {
			const charged: Charged = JSON.parse(unpackText(row.charged));
			const minimum = charged.minimum === null ? null : JSON.stringify(charged.minimum);
			mark.run(charged.from ?? charged.period.start, charged.currency, minimum, row.id);
			insert(row, charged, "advance/");
			if (charged.setAgainst) insert(row, { ...charged.setAgainst, elsewhere: true }, "set-against/");
		}
		const last = rows.at(-1);
		if (!last) return;
		after = last.id;
	}
}

function inserting(sqlite: Database) {
	const charge = sqlite.prepare(
		`INSERT INTO billing_charges (id, environment_id, owner_kind, owner_id, "key", position, terms, starts_at, "interval", anchor_at,
			proration_mode, payment_time, billed_until, created_at, updated_at)
		VALUES (?, ?, 'SUBSCRIPTION', ?, ?, ?, ?, ?, ?, ?, 'BY_TIME', 'IN_ADVANCE', ?, ?, ?)`,
	);
	const period = sqlite.prepare(
		`INSERT INTO charge_periods (charge_id, starts_at, revision, ends_at, environment_id, state, rated, whole_starts_at, line_charge_id, "left", created_at)
		VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	return (row: Row, charged: Charged, keyStart: string): void => {
		const { start, end } = charged.period;
		const from = Math.max(charged.from ?? start, start);
		const keys = new Map<string, number>();
		for (const [position, { chargeId, isGivenBack, left, ...item }] of charged.items.entries()) {
			const subject = JSON.stringify([item.addonRefId, item.featureRefId, item.charge.billingModel]);
			const nth = keys.get(subject) ?? 0;
			keys.set(subject, nth + 1);
			const key = `${keyStart}${subject}${nth === 0 ? "" : `#${nth}`}`;
			const id = `${row.id.slice(0, 24)}${crypto.randomUUID().slice(24)}`;
			const terms = { item: { ...item, period: undefined }, coupon: charged.coupon, taxPercentage: charged.taxPercentage };
			const months = row.billing_period === "ANNUALLY" ? 12 : 1;
			charge.run(
				...[id, row.environment_id, row.id, key, position, JSON.stringify(terms), from],
				...[JSON.stringify({ unit: "MONTH", count: months }), row.billing_anchor_at ?? start, end, row.updated_at, row.updated_at],
			);
			const rest = isGivenBack ? { part: "0", whole: "0" } : left;
			period.run(
				...[id, from, end, row.environment_id, charged.elsewhere ? "ELSEWHERE" : "BILLED", noAmounts],
				...[from > start ? start : null, chargeId ?? null, rest ? JSON.stringify(rest) : null, row.updated_at],
			);
		}
	};
}
