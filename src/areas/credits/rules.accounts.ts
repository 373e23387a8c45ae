import { type Decimal, exact, minus, plus } from "../../kernel/decimal";
import type { GrantType, LedgerEventType } from "./schema.values";

/**
 * The accounts of a wallet. Credits come from `granted`, and from `overdraft` where more is consumed than there is; they are
 * in the `balance`, or are `consumed`, `expired` or `voided`. What came is always where it is:
 * granted + overdraft = balance + consumed + expired + voided.
 */
export const accounts = ["granted", "overdraft", "balance", "consumed", "expired", "voided"] as const;
export type Account = (typeof accounts)[number];

export type Accounts = Readonly<Record<Account, Decimal>>;

/** What an entry says of the accounts; both are null where nothing moves. */
export interface Movement {
	readonly amount: Decimal;
	readonly fromAccount: Account | null;
	readonly toAccount: Account | null;
}

/** Which accounts an entry moves credits between, by its type and that of its grant. */
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

/** Whether an entry gives back what an event took: what settles an overdraft is of no feature. */
export const isGivenBack = ({
	eventType,
	featureId,
}: {
	readonly eventType: LedgerEventType;
	readonly featureId: string | null;
}): boolean => eventType === "CREDITS_CONSUMPTION_TRANSFER_SOURCE" && featureId !== null;

/** `granted` and `overdraft` tell what came from them; the others what is in them. */
const isSource = (account: Account): boolean => account === "granted" || account === "overdraft";

/** The accounts after some movements. */
export function moved(before: Accounts, movements: readonly Movement[]): Accounts {
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

/** Whether what came is where it is. */
export const isBalanced = ({ granted, overdraft, balance, consumed, expired, voided }: Accounts): boolean =>
	exact(granted)
		.plus(exact(overdraft))
		.eq(exact(balance).plus(exact(consumed)).plus(exact(expired)).plus(exact(voided)));
