import { type Decimal, exact, toWire, toWireOrNull } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { writeEvent } from "../../outbox/operations";
import { ownerOf } from "../operations.events";
import type { CreditAutoRechargeRow } from "../table";

const subjectOf = (work: Work, row: CreditAutoRechargeRow) => {
	const { customer, currency } = ownerOf(work, row);
	return { entityId: row.id, customer, currency };
};

export const emitRechargeSaved = (work: Work, row: CreditAutoRechargeRow): void =>
	writeEvent(work, "automatic_recharge.configuration.changed", row.id, {
		...subjectOf(work, row),
		isEnabled: row.isEnabled,
		thresholdType: row.thresholdType,
		thresholdValue: toWire(row.thresholdValue),
		targetBalance: toWire(row.targetBalance),
		maxSpendLimit: toWireOrNull(row.maxSpendLimit),
		grantExpirationPeriod: row.grantExpirationPeriod,
	});

export interface RechargeAttempt {
	readonly status: "SUCCEEDED" | "AWAITS_PAYMENT" | "FAILED";
	readonly problem?: string;
	readonly amount?: Decimal;
	readonly creditGrantId?: string;
}

export const emitRechargeAttempted = (work: Work, row: CreditAutoRechargeRow, attempted: RechargeAttempt): void =>
	writeEvent(work, "automatic_recharge.operation.attempted", row.id, {
		...subjectOf(work, row),
		status: attempted.status,
		problem: attempted.problem ?? null,
		amount: attempted.amount === undefined ? null : toWire(attempted.amount),
		creditGrantId: attempted.creditGrantId ?? null,
	});

/** The percentages of the limit that have an event, as in the reference service. */
const percentages = [80, 90, 100];

/** Emits an event for each percentage of the limit that the spend of a month has passed from `before` to `after`. */
export function emitSpendLimitReached(work: Work, row: CreditAutoRechargeRow, before: Decimal, after: Decimal): void {
	const { maxSpendLimit } = row;
	if (maxSpendLimit === null) return;
	for (const percentage of percentages) {
		const at = exact(maxSpendLimit).times(percentage).div(100);
		if (exact(before).gte(at) || exact(after).lt(at)) continue;
		writeEvent(work, "credits.automatic_recharge_limit_exceeded", row.id, {
			...subjectOf(work, row),
			percentage,
			spent: toWire(after),
			maxSpendLimit: toWire(maxSpendLimit),
		});
	}
}
