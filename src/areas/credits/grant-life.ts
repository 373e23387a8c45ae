import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { minus, plus, post } from "./posting";
import { neverExpires } from "./rules.burning";
import type { GrantSource } from "./schema.values";
import { insertGrant, openWallet, saveGrant, selectGrant, selectWallet, type WalletOf } from "./store.wallets";
import type { CreditGrantRow, CreditWalletRow } from "./table";

/** A grant that is about to be: what callers, recurrences and recharges say of it. */
export interface NewGrant extends WalletOf {
	readonly displayName: string;
	readonly comment?: string | null;
	readonly grantType: "PAID" | "PROMOTIONAL" | "RECURRING";
	readonly sourceType?: GrantSource | null;
	readonly sourceId?: string | null;
	/** More than zero. */
	readonly amount: Decimal;
	readonly priority?: number;
	readonly effectiveAt: Instant;
	/** Later than `effectiveAt`; null for never. */
	readonly expireAt: Instant | null;
	readonly cost?: { readonly amount: Decimal; readonly currency: string };
	/** Whether it has to be paid before it counts. */
	readonly awaitsPayment?: boolean;
	readonly invoiceId?: string | null;
	readonly metadata?: Readonly<Record<string, string>>;
}

/** Source: docs/interface/credits.md. */
const priorityDefault = 50;

/** Makes a grant, and lets it count where its time has come and nothing is to be paid first. */
export function issueGrant(work: Work, input: NewGrant): CreditGrantRow {
	const { customerId, currencyId, resourceRef } = input;
	const wallet = openWallet(work, { customerId, currencyId, resourceRef });
	const grant = insertGrant(work, {
		walletId: wallet.id,
		customerId,
		resourceRef,
		displayName: input.displayName,
		comment: input.comment ?? null,
		grantType: input.grantType,
		sourceType: input.sourceType ?? null,
		sourceId: input.sourceId ?? null,
		status: input.awaitsPayment ? "PAYMENT_PENDING" : "SCHEDULED",
		amount: input.amount,
		consumed: zero,
		priority: input.priority ?? priorityDefault,
		effectiveAt: input.effectiveAt,
		expireAt: input.expireAt,
		nextDueAt: input.awaitsPayment ? null : input.effectiveAt,
		voidedAt: null,
		isOpen: false,
		expiryRank: input.expireAt ?? neverExpires,
		isPaid: input.grantType === "PAID",
		costAmount: input.cost?.amount ?? zero,
		costCurrency: input.cost?.currency ?? "usd",
		paymentCollection: input.awaitsPayment ? "PROCESSING" : "NOT_REQUIRED",
		invoiceId: input.invoiceId ?? null,
		metadata: input.metadata ?? {},
	});
	return input.awaitsPayment ? grant : activateIfDue(work, grant);
}

/** What waited for its payment counts from now, or from when it becomes effective. */
export const confirmPayment = (work: Work, grant: CreditGrantRow): CreditGrantRow =>
	activateIfDue(
		work,
		saveGrant(work, grant, { status: "SCHEDULED", paymentCollection: "NOT_REQUIRED", nextDueAt: grant.effectiveAt }),
	);

const activateIfDue = (work: Work, grant: CreditGrantRow): CreditGrantRow => {
	if (grant.effectiveAt > work.now) return grant;
	const active = activate(work, grant);
	return active.expireAt !== null && active.expireAt <= work.now ? expire(work, active) : active;
};

/** A scheduled grant becomes effective: it settles the overdraft of its wallet first, as far as it goes. */
export function activate(work: Work, grant: CreditGrantRow): CreditGrantRow {
	const wallet = walletOf(work, grant);
	const overdraft = wallet.overdraftGrantId === null ? undefined : selectGrant(work, wallet.overdraftGrantId);
	const settled = overdraft === undefined ? zero : least(overdraft.consumed, grant.amount);
	const active = saveGrant(work, grant, {
		status: "ACTIVE",
		consumed: settled,
		isOpen: exact(grant.amount).gt(exact(settled)),
		nextDueAt: grant.expireAt,
	});
	const left = overdraft && settleOverdraft(work, overdraft, settled);
	const at = work.now;
	post(
		work,
		wallet,
		[
			{ grant, eventType: "CREDITS_GRANTED", amount: grant.amount, at },
			...(overdraft && settled !== zero
				? ([
						{ grant: overdraft, eventType: "CREDITS_CONSUMPTION_TRANSFER_SOURCE", amount: settled, at },
						{ grant, eventType: "CREDITS_CONSUMPTION_TRANSFER_TARGET", amount: settled, at },
					] as const)
				: []),
		],
		{
			activeAmount: plus(wallet.activeAmount, grant.amount),
			activeConsumed: plus(wallet.activeConsumed, settled),
			...(left?.status === "VOIDED" && { overdraftGrantId: null }),
		},
	);
	return active;
}

/** An overdraft that is settled whole is over; the next shortfall makes another. */
function settleOverdraft(work: Work, overdraft: CreditGrantRow, settled: Decimal): CreditGrantRow {
	const consumed = minus(overdraft.consumed, settled);
	return saveGrant(work, overdraft, {
		consumed,
		...(consumed === zero && { status: "VOIDED", voidedAt: work.now }),
	});
}

/** What is left of an active grant is lost at its end. */
export const expire = (work: Work, grant: CreditGrantRow): CreditGrantRow =>
	end(work, grant, { status: "EXPIRED", eventType: "CREDITS_EXPIRED" });

/** Stops further use of what is left, or keeps the grant from ever counting; what was consumed stays consumed. */
export function voidGrant(work: Work, grant: CreditGrantRow): CreditGrantRow {
	if (grant.status === "ACTIVE") return end(work, grant, { status: "VOIDED", eventType: "CREDITS_VOIDED" });
	return saveGrant(work, grant, { status: "VOIDED", voidedAt: work.now, nextDueAt: null });
}

function end(
	work: Work,
	grant: CreditGrantRow,
	{ status, eventType }: { status: "EXPIRED" | "VOIDED"; eventType: "CREDITS_EXPIRED" | "CREDITS_VOIDED" },
): CreditGrantRow {
	const wallet = walletOf(work, grant);
	const ended = saveGrant(work, grant, {
		status,
		isOpen: false,
		nextDueAt: null,
		...(status === "VOIDED" && { voidedAt: work.now }),
	});
	const left = minus(grant.amount, grant.consumed);
	post(work, wallet, left === zero ? [] : [{ grant, eventType, amount: left, at: work.now }], {
		activeAmount: minus(wallet.activeAmount, grant.amount),
		activeConsumed: minus(wallet.activeConsumed, grant.consumed),
	});
	return ended;
}

const walletOf = (work: Work, { walletId }: CreditGrantRow): CreditWalletRow => {
	const wallet = selectWallet(work, walletId);
	assert(wallet, "a grant has a wallet");
	return wallet;
};

const least = (one: Decimal, other: Decimal): Decimal => (exact(one).lt(exact(other)) ? one : other);
