import { type Decimal, exact, minus, plus } from "../../kernel/decimal";
import type { GrantType, LedgerEventType } from "./schema.values";

/**
 * The accounts of a wallet. Credits come from `granted`, and from `overdraft` where consumption exceeds the balance. They are in
 * the `balance`, or `consumed`, `expired` or `voided`. Always: granted + overdraft = balance + consumed + expired + voided.
 */
export const accounts = ["granted", "overdraft", "balance", "consumed", "expired", "voided"] as const;
export type Account = (typeof accounts)[number];

export type Accounts = Readonly<Record<Account, Decimal>>;

/** The movement of an entry between two accounts; both are null where no credits move. */
export interface Movement {
	readonly amount: Decimal;
	readonly fromAccount: Account | null;
	readonly toAccount: Account | null;
}

/** Returns the accounts between which an entry moves credits, by its type and the type of its grant. */
export function accountsOf(
	eventType: LedgerEventType,
	grantType: GrantType,
): { readonly fromAccount: Account | null; readonly toAccount: Account | null } {
	const isOverdraft = grantType === "OVERDRAFT";
	switch (eventType) {
		case "CREDITS_GRANTED":
			return { fromAccount: "granted", toAccount: "balance" };
		case "CREDITS_CONSUMED":
			return { fromAccount: isOverdraft ? "overdraft" : "balance", toAccount: "consumed" };
		case "CREDITS_EXPIRED":
			return { fromAccount: "balance", toAccount: "expired" };
		case "CREDITS_VOIDED":
			return { fromAccount: "balance", toAccount: "voided" };
		case "CREDITS_CONSUMPTION_TRANSFER_SOURCE":
			return { fromAccount: "consumed", toAccount: isOverdraft ? "overdraft" : "balance" };
		case "CREDITS_CONSUMPTION_TRANSFER_TARGET":
			return { fromAccount: "balance", toAccount: "consumed" };
		case "CREDITS_UPDATED":
			return { fromAccount: null, toAccount: null };
	}
}

/** Whether an entry releases the credits of a canceled event. An entry that settles an overdraft has no feature. */
export const isReversal = ({
	eventType,
	featureId,
}: {
	readonly eventType: LedgerEventType;
	readonly featureId: string | null;
}): boolean => eventType === "CREDITS_CONSUMPTION_TRANSFER_SOURCE" && featureId !== null;

/** `granted` and `overdraft` count the credits that came from them; the other accounts count the credits in them. */
const isSource = (account: Account): boolean => account === "granted" || account === "overdraft";

/** Returns the accounts after some movements. */
export function accountsAfter(before: Accounts, movements: readonly Movement[]): Accounts {
	const after = { ...before };
	for (const { amount, fromAccount, toAccount } of movements) {
		if (fromAccount === null || toAccount === null) continue;
		after[fromAccount] = added(after[fromAccount], amount, isSource(fromAccount));
		after[toAccount] = added(after[toAccount], amount, !isSource(toAccount));
	}
	return after;
}

const added = (to: Decimal, amount: Decimal, isMore: boolean): Decimal =>
	isMore ? plus(to, amount) : minus(to, amount);

/** Whether the accounts fulfil the equation of `accounts`. */
export const isBalanced = ({ granted, overdraft, balance, consumed, expired, voided }: Accounts): boolean =>
	exact(granted)
		.plus(exact(overdraft))
		.eq(exact(balance).plus(exact(consumed)).plus(exact(expired)).plus(exact(voided)));
