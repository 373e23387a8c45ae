import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire, toWireOrNull, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import type { CreditAutoRechargeRow } from "../table";
import { spentInMonth } from "./rules";
import type { AutoRecharge, AutoRechargeQuery } from "./schema";

/** The settings where none are stored (docs/interface/credits.md). */
const defaults = {
	id: null,
	isEnabled: false,
	thresholdType: "CREDIT_AMOUNT",
	thresholdValue: 0,
	targetBalance: 0,
	maxSpendLimit: null,
	grantExpirationPeriod: "1_YEAR",
	createdAt: null,
	updatedAt: null,
} as const;

export function viewAutoRecharge(
	work: Work,
	{ customerId, currencyId }: AutoRechargeQuery,
	row: CreditAutoRechargeRow | undefined,
): AutoRecharge {
	if (!row) return { ...defaults, customerId, currencyId };
	const spent = spentInMonth(row, work.now);
	return {
		id: row.id,
		customerId,
		currencyId,
		isEnabled: row.isEnabled,
		thresholdType: row.thresholdType,
		thresholdValue: toWire(row.thresholdValue),
		targetBalance: toWire(row.targetBalance),
		maxSpendLimit: toWireOrNull(row.maxSpendLimit),
		grantExpirationPeriod: row.grantExpirationPeriod,
		createdAt: toIso(row.createdAt),
		updatedAt: toIso(row.updatedAt),
		...(row.unitPrice !== null &&
			row.unitCurrency !== null && { unitPrice: { amount: toWire(row.unitPrice), currency: row.unitCurrency } }),
		...(spent !== zero && { currentMonthlySpend: toWire(spent) }),
		...(row.problem !== null && { problem: { message: row.problem, retryDate: toIsoOrNull(row.nextDueAt) } }),
	};
}
