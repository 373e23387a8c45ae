import type { Instant } from "../../kernel/clock";
import { type Decimal, zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { neverExpires } from "./burn-down";
import { activate, hasExpired } from "./operations.activate";
import { carryOutDue } from "./operations.due";
import { expire } from "./operations.end";
import { emitGrantEvent } from "./operations.events";
import type { GrantSource } from "./schema.values";
import { insertGrant, openWallet, saveGrant, type WalletOf } from "./store.wallets";
import type { CreditGrantRow } from "./table";

/** The terms of a new grant, from a caller, a recurring entitlement or a recharge. */
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
	/** Whether the grant becomes active only after its payment. */
	readonly awaitsPayment?: boolean;
	readonly invoiceId?: string | null;
	readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** docs/interface/credits.md. */
const priorityDefault = 50;

/** Creates a grant. It becomes active at once if it is effective now and awaits no payment. */
export function issueGrant(work: Work, input: NewGrant): CreditGrantRow {
	const { customerId, currencyId, resourceRef } = input;
	const wallet = openWallet(work, { customerId, currencyId, resourceRef });
	// Grants that became effective earlier settle the overdraft first.
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
	emitGrantEvent(work, "created", issued);
	return issued;
}

/** Confirms the payment of a grant: it becomes active now, or at its effective date. */
export function confirmPayment(work: Work, grant: CreditGrantRow): CreditGrantRow {
	carryOutDue(work, grant.walletId);
	const paid = { status: "SCHEDULED", paymentCollection: "NOT_REQUIRED", nextDueAt: grant.effectiveAt } as const;
	const confirmed = activateIfDue(work, saveGrant(work, grant, paid));
	emitGrantEvent(work, "updated", confirmed);
	return confirmed;
}

const activateIfDue = (work: Work, grant: CreditGrantRow): CreditGrantRow => {
	if (grant.effectiveAt > work.now) return grant;
	const active = activate(work, grant);
	return hasExpired(work, active) ? expire(work, active) : active;
};
