import { type Decimal, minus, zero } from "../../../kernel/decimal";
import { neverExpires } from "../burn-down";
import type { CreditGrantRow } from "../table";

/** The totals of a grant's ledger entries. */
export interface LedgerTotals {
	readonly granted: Decimal;
	readonly consumed: Decimal;
	readonly expired: Decimal;
	readonly voided: Decimal;
}

/** Returns how a grant differs from its ledger entries; undefined if it does not. */
export function misstatementOf(grant: CreditGrantRow, ledger: LedgerTotals): string | undefined {
	const { grantType, status, consumed } = grant;
	if (consumed !== ledger.consumed) return `consumed is ${consumed}, the ledger gives ${ledger.consumed}`;
	if (grant.isOpen !== (status === "ACTIVE" && grantType !== "OVERDRAFT" && consumed !== grant.amount))
		return `it is ${grant.isOpen ? "" : "not "}marked as consumable, although it is ${status} with ${minus(grant.amount, consumed)} remaining`;
	if (grantType === "OVERDRAFT") return overdraftMisstatement(grant, ledger);
	const remaining = minus(grant.amount, ledger.consumed);
	const expected: Omit<LedgerTotals, "consumed"> = {
		granted: grant.activeAt === null ? zero : grant.amount,
		expired: status === "EXPIRED" ? remaining : zero,
		voided: status === "VOIDED" && grant.activeAt !== null ? remaining : zero,
	};
	for (const [name, amount] of Object.entries(expected)) {
		const made = ledger[name as keyof LedgerTotals];
		if (made !== amount) return `it is ${status} with ${amount} ${name}, the ledger gives ${made}`;
	}
	if ((grant.activeAt !== null) !== hasBegun(grant)) return `it is ${status}, but activeAt is ${grant.activeAt}`;
	if (grant.nextDueAt !== dueAt(grant))
		return `it is ${status} and is due at ${grant.nextDueAt} instead of ${dueAt(grant)}`;
	if (grant.expiryRank !== (grant.expireAt ?? neverExpires) || grant.isPaid !== (grantType === "PAID"))
		return "its columns for the order of consumption differ from its dates and type";
	return undefined;
}

function overdraftMisstatement({ status, amount }: CreditGrantRow, ledger: LedgerTotals): string | undefined {
	if (amount !== zero || ledger.granted !== zero) return "an overdraft has granted credits";
	if (status !== (ledger.consumed === zero ? "VOIDED" : "ACTIVE"))
		return `it is ${status} with ${ledger.consumed} not settled`;
	return undefined;
}

/** Whether a grant has ever been active. A voided grant may have been, or not. */
const hasBegun = ({ status, activeAt }: CreditGrantRow): boolean =>
	status === "ACTIVE" || status === "EXPIRED" || (status === "VOIDED" && activeAt !== null);

const dueAt = ({ status, effectiveAt, expireAt }: CreditGrantRow): number | null => {
	if (status === "SCHEDULED") return effectiveAt;
	return status === "ACTIVE" ? expireAt : null;
};
