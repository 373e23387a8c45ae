import { type Decimal, exact, minus, plus, zero } from "../../../kernel/decimal";
import { RevenueTally } from "../revenue/rules.tally";
import {
	type Account,
	type Accounts,
	accountsAfter,
	accountsOf,
	accounts as allAccounts,
	isReversal,
} from "../rules.accounts";
import type { CreditEntryRow, CreditGrantRow, CreditWalletRow, creditUsage } from "../table";
import { spanStart } from "../usage/store";

export type UsageRow = typeof creditUsage.$inferSelect;

/** The totals of one grant, by its ledger entries. */
interface GrantTotals {
	granted: Decimal;
	/** For an overdraft: the part that is not settled. */
	consumed: Decimal;
	expired: Decimal;
	voided: Decimal;
}

/** Calculates a wallet, its grants, its usage and its revenue from its ledger entries alone, in their order. */
export class ExpectedBalances {
	readonly #wallet: CreditWalletRow;
	readonly #grants: ReadonlyMap<string, CreditGrantRow>;
	readonly #ofGrants = new Map<string, GrantTotals>();
	readonly #usage = new Map<string, UsageRow>();
	readonly #revenue = new RevenueTally();
	#accounts: Accounts = noCredits;
	#entries = 0;
	/** Identifies the last consumption. Its further entries concern other grants, and do not count as further events. */
	#lastConsumed = "";

	constructor(wallet: CreditWalletRow, grants: ReadonlyMap<string, CreditGrantRow>) {
		this.#wallet = wallet;
		this.#grants = grants;
	}

	/** Adds the next entry. Returns the problem if the entry is invalid in itself. */
	add(entry: CreditEntryRow): string | undefined {
		const grant = this.#grants.get(entry.grantId);
		if (grant === undefined) return "its grant belongs to another wallet";
		const wrong = this.#misstatement(entry, grant);
		if (wrong !== undefined) return wrong;
		this.#accounts = accountsAfter(this.#accounts, [entry]);
		this.#entries += 1;
		this.#revenue.add(entry, grant, zero);
		this.#addToGrant(entry);
		if (entry.eventType === "CREDITS_CONSUMED") this.#addToUsage(entry);
		if (isReversal(entry)) this.#addToUsage({ ...entry, ...negated(entry) });
		return undefined;
	}

	/** Returns the expected columns of the wallet's row. */
	wallet() {
		const active = [...this.#grants.values()].filter(
			({ status, grantType }) => status === "ACTIVE" && grantType !== "OVERDRAFT",
		);
		const overdraft = [...this.#grants.values()].find(
			({ id, grantType }) => grantType === "OVERDRAFT" && this.ofGrant(id).consumed !== zero,
		);
		return {
			...this.#accounts,
			entryCount: this.#entries,
			activeAmount: active.reduce((total, { amount }) => plus(total, amount), zero),
			activeConsumed: active.reduce((total, { id }) => plus(total, this.ofGrant(id).consumed), zero),
			overdraftGrantId: overdraft?.id ?? null,
		};
	}

	ofGrant(id: string): Readonly<GrantTotals> {
		return this.#ofGrants.get(id) ?? noGrantTotals;
	}

	usage(): ReadonlyMap<string, UsageRow> {
		return this.#usage;
	}

	revenue() {
		return this.#revenue.days();
	}

	#misstatement(entry: CreditEntryRow, grant: CreditGrantRow): string | undefined {
		const { id, customerId, environmentId } = this.#wallet;
		if (entry.walletId !== id || entry.customerId !== customerId || entry.environmentId !== environmentId)
			return "its customer or environment differs from its wallet";
		const { fromAccount, toAccount } = accountsOf(entry.eventType, grant.grantType);
		if (entry.fromAccount !== fromAccount || entry.toAccount !== toAccount)
			return `it moves credits from ${entry.fromAccount} to ${entry.toAccount}, which is wrong for ${entry.eventType}`;
		if (exact(entry.amount).lt(0)) return "its amount is less than zero";
		return undefined;
	}

	#addToGrant({ grantId, eventType, amount }: CreditEntryRow): void {
		const of = this.#ofGrants.get(grantId) ?? { ...noGrantTotals };
		this.#ofGrants.set(grantId, of);
		switch (eventType) {
			case "CREDITS_GRANTED":
				of.granted = plus(of.granted, amount);
				break;
			case "CREDITS_CONSUMED":
			case "CREDITS_CONSUMPTION_TRANSFER_TARGET":
				of.consumed = plus(of.consumed, amount);
				break;
			case "CREDITS_CONSUMPTION_TRANSFER_SOURCE":
				of.consumed = minus(of.consumed, amount);
				break;
			case "CREDITS_EXPIRED":
				of.expired = plus(of.expired, amount);
				break;
			case "CREDITS_VOIDED":
				of.voided = plus(of.voided, amount);
				break;
			case "CREDITS_UPDATED":
				break;
		}
	}

	#addToUsage({ eventType, featureId, eventId, amount, at, events: counted }: CreditEntryRow): void {
		const consumed = `${eventType} ${featureId} ${at} ${eventId}`;
		const isNext = consumed !== this.#lastConsumed;
		this.#lastConsumed = consumed;
		for (const span of ["hour", "day"] as const) {
			const of = { walletId: this.#wallet.id, featureId: featureId ?? "", span, at: spanStart(span, at) };
			const before = this.#usage.get(usageKey(of)) ?? { ...of, amount: zero, events: 0 };
			const events = before.events + (isNext ? (counted ?? 1) : 0);
			this.#usage.set(usageKey(of), { ...of, amount: plus(before.amount, amount), events });
		}
	}
}

const negated = ({ amount, events }: CreditEntryRow) => ({ amount: minus(zero, amount), events: -(events ?? 1) });

export const usageKey = ({ span, at, featureId }: Pick<UsageRow, "span" | "at" | "featureId">): string =>
	`${span} ${at} ${featureId}`;

const noGrantTotals: Readonly<GrantTotals> = { granted: zero, consumed: zero, expired: zero, voided: zero };

const noCredits = Object.fromEntries(allAccounts.map((account) => [account, zero])) as Record<Account, Decimal>;
