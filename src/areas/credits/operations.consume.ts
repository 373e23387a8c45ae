import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { countAtBudgets } from "../governance/operations.count";
import type { BudgetDecision } from "../governance/operations.decide";
import type { Dimensions } from "../pricing/models/formula";
import { burn, neverExpires } from "./burn-down";
import { carryOutDue } from "./operations.due";
import { emitBalanceEvent, emitGrantEvent } from "./operations.events";
import { minus, type Posting, plus, postTogether, type WalletPosting } from "./posting";
import { remainingOf, totalsOf, type WalletTotals } from "./rules.totals";
import { insertGrant, openGrants, openWallet, saveGrant, selectGrant, type WalletOf } from "./store.wallets";
import type { CreditGrantRow, CreditWalletRow } from "./table";
import { addUsage } from "./usage/store";

/** Credits that one use consumes from a wallet. */
export interface WalletUse {
	readonly wallet: WalletOf;
	/** Zero or more. Zero writes nothing. */
	readonly amount: Decimal;
	/** The time of the use, in the ledger and in usage over time. The credits come from the grants that are active now. */
	readonly at: Instant;
	/** Row id; null for a consumption without a feature. */
	readonly featureId: string | null;
	/** The id of the usage event, the report of usage or the consumption. Unique among the uses of a feature. */
	readonly eventId: string;
	readonly dimensions: Dimensions | null;
	/** The number of usage events, where it is more than one. */
	readonly events?: number | null;
	/** The reservation that it consumes. */
	readonly reservationId?: string | null;
	/** The budgets that granted the use in this transaction, if they decided. */
	readonly budgets?: BudgetDecision | undefined;
}

/**
 * Consumes credits from wallets in the given order. Returns the totals of the wallet after each use. Never refuses for lack of
 * credits: the wallet's overdraft covers the shortfall, and later grants settle it.
 */
export function consumeFromWallets(work: Work, uses: readonly WalletUse[]): WalletTotals[] {
	const open = new Map<string, OpenWallet>();
	const totals = uses.map((use) => {
		const { customerId, currencyId, resourceRef } = use.wallet;
		const name = `${customerId}\n${currencyId}\n${resourceRef}`;
		const wallet = open.get(name) ?? new OpenWallet(work, use.wallet);
		open.set(name, wallet);
		return wallet.consume(use);
	});
	postTogether(
		work,
		[...open.values()].flatMap((wallet) => wallet.write() ?? []),
	);
	return totals;
}

/** A grant with remaining credits, as this transaction has changed it so far. */
interface OpenGrant {
	row: CreditGrantRow;
	remaining: Decimal;
	isChanged: boolean;
}

/** A wallet within one transaction. Reads and writes each grant once, however many uses consume from it. */
class OpenWallet {
	readonly #work: Work;
	readonly #wallet: CreditWalletRow;
	readonly #unread: Iterator<CreditGrantRow>;
	readonly #grantsRead: OpenGrant[] = [];
	/** The index of the first grant that may have remaining credits. */
	#firstOpen = 0;
	#overdraft: CreditGrantRow | undefined;
	#isOverdrawn = false;
	#activeConsumed: Decimal;
	#overdrawn: Decimal;
	readonly #entries: Posting[] = [];
	readonly #uses: WalletUse[] = [];

	constructor(work: Work, of: WalletOf) {
		this.#work = work;
		const wallet = openWallet(work, of);
		this.#wallet = carryOutDue(work, wallet.id) ? openWallet(work, of) : wallet;
		this.#unread = openGrants(work, this.#wallet.id);
		this.#activeConsumed = this.#wallet.activeConsumed;
		this.#overdrawn = this.#wallet.overdraft;
	}

	consume(use: WalletUse): WalletTotals {
		const { amount, at, featureId, eventId, dimensions, events } = use;
		if (amount === zero) return this.#totals();
		assert(!amount.startsWith("-"), "uses consume no negative amount");
		const { parts, shortfall } = burn(this.#grants(), amount);
		const about = { eventType: "CREDITS_CONSUMED", at, featureId, eventId, dimensions, events } as const;
		for (const { grant, amount: part } of parts) {
			grant.remaining = minus(grant.remaining, part);
			grant.isChanged = true;
			this.#activeConsumed = plus(this.#activeConsumed, part);
			this.#entries.push({ ...about, grant: grant.row, amount: part });
		}
		if (shortfall !== zero) {
			this.#entries.push({ ...about, grant: this.#overdraftGrant(), amount: shortfall });
			this.#overdrawn = plus(this.#overdrawn, shortfall);
			this.#isOverdrawn = true;
		}
		this.#uses.push(use);
		const { customerId, currencyId } = this.#wallet;
		const { reservationId, budgets: decided } = use;
		countAtBudgets(this.#work, {
			...{ customerId, capabilityId: currencyId, dimensions, at, amount, sourceId: eventId, reservationId, decided },
		});
		return this.#totals();
	}

	/** Writes the changed grants and the usage of the hours. Returns the entries for the ledger. */
	write(): WalletPosting | undefined {
		if (this.#entries.length === 0) return undefined;
		for (const { row, remaining, isChanged } of this.#grantsRead) {
			if (!isChanged) continue;
			const isOpen = remaining !== zero;
			const saved = saveGrant(this.#work, row, { consumed: minus(row.amount, remaining), isOpen });
			if (!isOpen) emitGrantEvent(this.#work, "depleted", saved);
		}
		if (hasRemaining(totalsOf(this.#wallet)) && !hasRemaining(this.#totals()))
			emitBalanceEvent(this.#work, "depleted", this.#wallet, this.#totals());
		if (this.#isOverdrawn) saveGrant(this.#work, this.#overdraftGrant(), { consumed: this.#overdrawn });
		addUsage(this.#work, this.#wallet.id, this.#uses);
		const changes = {
			activeConsumed: this.#activeConsumed,
			...(this.#overdraft && { overdraftGrantId: this.#overdraft.id }),
		};
		return { wallet: this.#wallet, entries: this.#entries, changes };
	}

	#totals(): WalletTotals {
		return {
			walletId: this.#wallet.id,
			limit: this.#wallet.activeAmount,
			usage: plus(plus(this.#activeConsumed, this.#overdrawn), this.#wallet.waiting),
		};
	}

	*#grants(): Generator<OpenGrant, undefined> {
		for (let at = this.#firstOpen; ; at += 1) {
			const grant = this.#grantsRead[at] ?? this.#readNext();
			if (!grant) return;
			if (grant.remaining === zero) this.#firstOpen = at + 1;
			else yield grant;
		}
	}

	#readNext(): OpenGrant | undefined {
		const { value: row, done } = this.#unread.next();
		if (done || !row) return undefined;
		const grant = { row, remaining: minus(row.amount, row.consumed), isChanged: false };
		this.#grantsRead.push(grant);
		return grant;
	}

	/** Returns the current overdraft, or creates one. Callers cannot bill, edit or void it. */
	#overdraftGrant(): CreditGrantRow {
		const { id: walletId, overdraftGrantId, customerId, resourceRef } = this.#wallet;
		this.#overdraft ??=
			overdraftGrantId === null
				? insertGrant(this.#work, {
						...emptyOverdraft,
						walletId,
						customerId,
						resourceRef,
						effectiveAt: this.#work.now,
					})
				: selectGrant(this.#work, overdraftGrantId);
		assert(this.#overdraft, "the overdraft of a wallet exists");
		return this.#overdraft;
	}
}

const hasRemaining = (totals: WalletTotals): boolean => exact(remainingOf(totals)).gt(0);

const emptyOverdraft = {
	displayName: "Overdraft",
	comment: null,
	grantType: "OVERDRAFT",
	sourceType: null,
	sourceId: null,
	status: "ACTIVE",
	amount: zero,
	consumed: zero,
	priority: 0,
	expireAt: null,
	nextDueAt: null,
	activeAt: null,
	voidedAt: null,
	isOpen: false,
	expiryRank: neverExpires,
	isPaid: false,
	costAmount: zero,
	costCurrency: "usd",
	paymentCollection: "NOT_REQUIRED",
	invoiceId: null,
	metadata: {},
} as const;
