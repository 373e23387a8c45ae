import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import type { Dimensions } from "../pricing/models/formula";
import { burn, neverExpires } from "./burn-down";
import { carryOutDue } from "./operations.due";
import { balanceTold, grantTold } from "./operations.events";
import { minus, type Posted, type Posting, plus, postTogether } from "./posting";
import { leftOf, shownOf, type WalletShown } from "./rules.totals";
import { insertGrant, openGrants, openWallet, saveGrant, selectGrant, type WalletOf } from "./store.wallets";
import type { CreditGrantRow, CreditWalletRow } from "./table";
import { addUsage } from "./usage/store";

/** Some credits that are taken from a wallet at once. */
export interface Draw {
	readonly wallet: WalletOf;
	/** Zero or more; nothing is written of zero. */
	readonly amount: Decimal;
	/** When it was consumed: what the ledger and the usage series show. What is active now is what it takes from. */
	readonly at: Instant;
	/** Row id; null for what is consumed without a feature. */
	readonly featureId: string | null;
	/** Of what consumed it: a usage event, a report of usage, or a consumption without a feature. No two draws of one feature share it. */
	readonly eventId: string;
	readonly dimensions: Dimensions | null;
	/** How many usage events it is of, where that is more than one. */
	readonly events?: number | null;
}

/**
 * Takes credits from wallets, in the order given, and answers what the wallet of each shows after it. Never refused for lack
 * of credits: what no grant covers is the wallet's one overdraft, which later grants settle.
 */
export function drawCredits(work: Work, draws: readonly Draw[]): WalletShown[] {
	const open = new Map<string, OpenWallet>();
	const shown = draws.map((draw) => {
		const { customerId, currencyId, resourceRef } = draw.wallet;
		const name = `${customerId}\n${currencyId}\n${resourceRef}`;
		const wallet = open.get(name) ?? new OpenWallet(work, draw.wallet);
		open.set(name, wallet);
		return wallet.take(draw);
	});
	postTogether(
		work,
		[...open.values()].flatMap((wallet) => wallet.write() ?? []),
	);
	return shown;
}

/** An open grant, with what this transaction has taken of it. */
interface Held {
	row: CreditGrantRow;
	remaining: Decimal;
	isTaken: boolean;
}

/** A wallet within one transaction: its grants are read once and written once, however often it is drawn on. */
class OpenWallet {
	readonly #work: Work;
	readonly #wallet: CreditWalletRow;
	readonly #unread: Iterator<CreditGrantRow>;
	readonly #held: Held[] = [];
	/** Of the first that may have something left. */
	#first = 0;
	#overdraft: CreditGrantRow | undefined;
	#isOverdrawn = false;
	#activeConsumed: Decimal;
	#overdrawn: Decimal;
	readonly #entries: Posting[] = [];
	readonly #draws: Draw[] = [];

	constructor(work: Work, of: WalletOf) {
		this.#work = work;
		const wallet = openWallet(work, of);
		this.#wallet = carryOutDue(work, wallet.id) ? openWallet(work, of) : wallet;
		this.#unread = openGrants(work, this.#wallet.id);
		this.#activeConsumed = this.#wallet.activeConsumed;
		this.#overdrawn = this.#wallet.overdraft;
	}

	take(draw: Draw): WalletShown {
		const { amount, at, featureId, eventId, dimensions, events } = draw;
		if (amount === zero) return this.#shown();
		assert(!amount.startsWith("-"), "nothing is drawn back");
		const { parts, shortfall } = burn(this.#grants(), amount);
		const about = { eventType: "CREDITS_CONSUMED", at, featureId, eventId, dimensions, events } as const;
		for (const { grant, amount: part } of parts) {
			grant.remaining = minus(grant.remaining, part);
			grant.isTaken = true;
			this.#activeConsumed = plus(this.#activeConsumed, part);
			this.#entries.push({ ...about, grant: grant.row, amount: part });
		}
		if (shortfall !== zero) {
			this.#entries.push({ ...about, grant: this.#overdraftGrant(), amount: shortfall });
			this.#overdrawn = plus(this.#overdrawn, shortfall);
			this.#isOverdrawn = true;
		}
		this.#draws.push(draw);
		return this.#shown();
	}

	/** Writes what follows from the entries of its grants and hours, and answers what is to be posted. */
	write(): Posted | undefined {
		if (this.#entries.length === 0) return undefined;
		for (const { row, remaining, isTaken } of this.#held) {
			if (!isTaken) continue;
			const isOpen = remaining !== zero;
			const taken = saveGrant(this.#work, row, { consumed: minus(row.amount, remaining), isOpen });
			if (!isOpen) grantTold(this.#work, "depleted", taken);
		}
		if (hasLeft(shownOf(this.#wallet)) && !hasLeft(this.#shown()))
			balanceTold(this.#work, "depleted", this.#wallet, this.#shown());
		if (this.#isOverdrawn) saveGrant(this.#work, this.#overdraftGrant(), { consumed: this.#overdrawn });
		addUsage(this.#work, this.#wallet.id, this.#draws);
		const changes = {
			activeConsumed: this.#activeConsumed,
			...(this.#overdraft && { overdraftGrantId: this.#overdraft.id }),
		};
		return { wallet: this.#wallet, entries: this.#entries, changes };
	}

	#shown(): WalletShown {
		return {
			walletId: this.#wallet.id,
			limit: this.#wallet.activeAmount,
			usage: plus(plus(this.#activeConsumed, this.#overdrawn), this.#wallet.waiting),
		};
	}

	*#grants(): Generator<Held, undefined> {
		for (let at = this.#first; ; at += 1) {
			const held = this.#held[at] ?? this.#read();
			if (!held) return;
			if (held.remaining === zero) this.#first = at + 1;
			else yield held;
		}
	}

	#read(): Held | undefined {
		const { value: row, done } = this.#unread.next();
		if (done || !row) return undefined;
		const held = { row, remaining: minus(row.amount, row.consumed), isTaken: false };
		this.#held.push(held);
		return held;
	}

	/** The one that waits for grants, or a new one. It is never billed, edited or voided by hand. */
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
		assert(this.#overdraft, "the overdraft that a wallet names is there");
		return this.#overdraft;
	}
}

const hasLeft = (shown: WalletShown): boolean => exact(leftOf(shown)).gt(0);

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
