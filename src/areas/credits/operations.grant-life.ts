import type { Instant } from "../../kernel/clock";
import { type Decimal, zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { neverExpires } from "./burn-down";
import { activate, carryOutDue, end, expire, hasEnded } from "./operations.due";
import { grantTold } from "./operations.events";
import type { GrantSource } from "./schema.values";
import { insertGrant, openWallet, saveGrant, selectGrant, type WalletOf } from "./store.wallets";
import type { CreditGrantRow } from "./table";

/** A grant that is about to be: what callers, recurrences and recharges say of it. */
export interface NewGrant extends WalletOf {
	readonly displayName: string;
	readonly comment?: string | null | undefined;
	readonly grantType: "PAID" | "PROMOTIONAL" | "RECURRING";
	readonly sourceType?: GrantSource | null;
	readonly sourceId?: string | null;
	/** More than zero. */
	readonly amount: Decimal;
	readonly priority?: number | undefined;
	readonly effectiveAt: Instant;
	/** Later than `effectiveAt`; null for never. */
	readonly expireAt: Instant | null;
	readonly cost?: { readonly amount: Decimal; readonly currency: string };
	/** Whether it has to be paid before it counts. */
	readonly awaitsPayment?: boolean;
	readonly invoiceId?: string | null;
	readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Source: docs/interface/credits.md. */
const priorityDefault = 50;

/** Makes a grant, and lets it count where its time has come and nothing is to be paid first. */
export function issueGrant(work: Work, input: NewGrant): CreditGrantRow {
	const { customerId, currencyId, resourceRef } = input;
	const wallet = openWallet(work, { customerId, currencyId, resourceRef });
	// What became effective before it settles the overdraft before it.
	carryOutDue(work, wallet.id);
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
		activeAt: null,
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
	const issued = input.awaitsPayment ? grant : activateIfDue(work, grant);
	grantTold(work, "created", issued);
	return issued;
}

/** What waited for its payment counts from now, or from when it becomes effective. */
export function confirmPayment(work: Work, grant: CreditGrantRow): CreditGrantRow {
	carryOutDue(work, grant.walletId);
	const paid = { status: "SCHEDULED", paymentCollection: "NOT_REQUIRED", nextDueAt: grant.effectiveAt } as const;
	const confirmed = activateIfDue(work, saveGrant(work, grant, paid));
	grantTold(work, "updated", confirmed);
	return confirmed;
}

const activateIfDue = (work: Work, grant: CreditGrantRow): CreditGrantRow => {
	if (grant.effectiveAt > work.now) return grant;
	const active = activate(work, grant);
	return hasEnded(work, active) ? expire(work, active) : active;
};

/**
 * Stops further use of what is left, or keeps the grant from ever counting; what was consumed stays consumed. Answers the
 * grant as it stands then: one that has expired meanwhile, or was voided before, is left as it is.
 */
export function voidGrant(work: Work, { id, walletId }: CreditGrantRow): CreditGrantRow {
	carryOutDue(work, walletId);
	const grant = selectGrant(work, id);
	assert(grant && grant.grantType !== "OVERDRAFT", "a grant that is voided is there, and no overdraft");
	switch (grant.status) {
		case "ACTIVE":
			return end(work, grant, { status: "VOIDED", eventType: "CREDITS_VOIDED" });
		case "PAYMENT_PENDING":
		case "SCHEDULED":
			return voidUnused(work, grant);
		case "EXPIRED":
		case "VOIDED":
			return grant;
	}
}

function voidUnused(work: Work, grant: CreditGrantRow): CreditGrantRow {
	const voided = saveGrant(work, grant, { status: "VOIDED", voidedAt: work.now, nextDueAt: null });
	grantTold(work, "voided", voided);
	return voided;
}
