import { type Decimal, exact, toWire, toWireOrNull } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { writeEvent } from "../../outbox/operations";
import { holderOf } from "../operations.events";
import type { CreditAutoRechargeRow } from "../table";

const ofWhom = (work: Work, row: CreditAutoRechargeRow) => {
	const { customer, currency } = holderOf(work, row);
	return { entityId: row.id, customer, currency };
};

export const rechargeSaved = (work: Work, row: CreditAutoRechargeRow): void =>
	writeEvent(work, "automatic_recharge.configuration.changed", row.id, {
		...ofWhom(work, row),
		isEnabled: row.isEnabled,
		thresholdType: row.thresholdType,
		thresholdValue: toWire(row.thresholdValue),
		targetBalance: toWire(row.targetBalance),
		maxSpendLimit: toWireOrNull(row.maxSpendLimit),
		grantExpirationPeriod: row.grantExpirationPeriod,
	});

export interface Attempted {
	readonly status: "SUCCEEDED" | "AWAITS_PAYMENT" | "FAILED";
	readonly problem?: string;
	readonly amount?: Decimal;
	readonly creditGrantId?: string;
}

export const rechargeAttempted = (work: Work, row: CreditAutoRechargeRow, attempted: Attempted): void =>
	writeEvent(work, "automatic_recharge.operation.attempted", row.id, {
		...ofWhom(work, row),
		status: attempted.status,
		problem: attempted.problem ?? null,
		amount: attempted.amount === undefined ? null : toWire(attempted.amount),
		creditGrantId: attempted.creditGrantId ?? null,
	});

/** Source: the reference service tells at these. */
const percentages = [80, 90, 100];

/** What a month's recharges have cost has gone from `before` to `after`: told at each percentage of the limit that lies between. */
export function limitReached(work: Work, row: CreditAutoRechargeRow, before: Decimal, after: Decimal): void {
	const { maxSpendLimit } = row;
	if (maxSpendLimit === null) return;
	for (const percentage of percentages) {
		const at = exact(maxSpendLimit).times(percentage).div(100);
		if (exact(before).gte(at) || exact(after).lt(at)) continue;
		writeEvent(work, "credits.automatic_recharge_limit_exceeded", row.id, {
			...ofWhom(work, row),
			percentage,
			spent: toWire(after),
			maxSpendLimit: toWire(maxSpendLimit),
		});
	}
}
