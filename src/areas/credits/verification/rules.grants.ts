import { type Decimal, minus, zero } from "../../../kernel/decimal";
import { neverExpires } from "../burn-down";
import type { CreditGrantRow } from "../table";

/** What the ledger's entries of a grant say. */
export interface LedgerOfGrant {
	readonly granted: Decimal;
	readonly consumed: Decimal;
	readonly expired: Decimal;
	readonly voided: Decimal;
}

/** What a grant has to say of itself where the ledger says this; undefined when it does. */
export function misstatementOf(grant: CreditGrantRow, ledger: LedgerOfGrant): string | undefined {
	const { grantType, status, consumed } = grant;
	if (consumed !== ledger.consumed) return `consumed is ${consumed}, the entries make ${ledger.consumed}`;
	if (grant.isOpen !== (status === "ACTIVE" && grantType !== "OVERDRAFT" && consumed !== grant.amount))
		return `it is ${grant.isOpen ? "" : "not "}to be consumed from, although it is ${status} with ${minus(grant.amount, consumed)} left`;
	if (grantType === "OVERDRAFT") return overdraftMisstatement(grant, ledger);
	const left = minus(grant.amount, ledger.consumed);
	const expected: Omit<LedgerOfGrant, "consumed"> = {
		granted: grant.activeAt === null ? zero : grant.amount,
		expired: status === "EXPIRED" ? left : zero,
		voided: status === "VOIDED" && grant.activeAt !== null ? left : zero,
	};
	for (const [name, amount] of Object.entries(expected)) {
		const made = ledger[name as keyof LedgerOfGrant];
		if (made !== amount) return `it is ${status} with ${amount} ${name}, the entries make ${made}`;
	}
	if ((grant.activeAt !== null) !== hasBegun(grant)) return `it is ${status}, and activeAt is ${grant.activeAt}`;
	if (grant.nextDueAt !== dueAt(grant))
		return `it is ${status} and falls due at ${grant.nextDueAt}, not at ${dueAt(grant)}`;
	if (grant.expiryRank !== (grant.expireAt ?? neverExpires) || grant.isPaid !== (grantType === "PAID"))
		return "its place in the order of consumption is not that of its dates and type";
	return undefined;
}

function overdraftMisstatement({ status, amount }: CreditGrantRow, ledger: LedgerOfGrant): string | undefined {
	if (amount !== zero || ledger.granted !== zero) return "an overdraft grants nothing";
	if (status !== (ledger.consumed === zero ? "VOIDED" : "ACTIVE"))
		return `it is ${status} with ${ledger.consumed} that no grant has settled`;
	return undefined;
}

/** One that was voided may have been, or not. */
const hasBegun = ({ status, activeAt }: CreditGrantRow): boolean =>
	status === "ACTIVE" || status === "EXPIRED" || (status === "VOIDED" && activeAt !== null);

const dueAt = ({ status, effectiveAt, expireAt }: CreditGrantRow): number | null => {
	if (status === "SCHEDULED") return effectiveAt;
	return status === "ACTIVE" ? expireAt : null;
};
