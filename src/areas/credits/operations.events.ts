import { toIso, toIsoOrNull } from "../../kernel/clock";
import { exact, toWire, zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { currenciesByIds } from "../currencies/operations";
import { customersByIds } from "../customers/operations";
import { writeEvent } from "../outbox/operations";
import { remainingOf, type WalletTotals } from "./rules.totals";
import { getWallet } from "./store.wallets";
import type { CreditGrantRow, CreditWalletRow } from "./table";

/** Emits an event about a grant. An overdraft emits none: to subscribers it is a part of the balance. */
export function emitGrantEvent(
	work: Work,
	what: "created" | "updated" | "depleted" | "expired" | "voided",
	grant: CreditGrantRow,
): void {
	if (grant.grantType === "OVERDRAFT") return;
	const wallet = getWallet(work, grant);
	writeEvent(work, `credit_grant.${what}`, grant.id, {
		id: grant.id,
		entityId: grant.id,
		name: grant.displayName,
		grantType: grant.grantType,
		status: grant.status,
		amount: toWire(grant.amount),
		consumedAmount: toWire(grant.consumed),
		...ownerOf(work, wallet),
		effectiveAt: toIso(grant.effectiveAt),
		expireAt: toIsoOrNull(grant.expireAt),
		voidedAt: toIsoOrNull(grant.voidedAt),
	});
}

export function emitBalanceEvent(
	work: Work,
	what: "low" | "depleted",
	wallet: CreditWalletRow,
	shown: WalletTotals,
): void {
	const { limit, usage } = shown;
	const used = limit === zero ? 100 : exact(usage).times(100).div(exact(limit)).toNumber();
	writeEvent(work, `credit_balance.${what}`, wallet.id, {
		eventId: work.newId(),
		...ownerOf(work, wallet),
		totalGranted: toWire(limit),
		remaining: toWire(remainingOf(shown)),
		percentageUsed: Math.round(used * 100) / 100,
	});
}

/** Returns the customer, currency and resource of credits, by the callers' ids. */
export function ownerOf(
	work: Work,
	{
		customerId,
		currencyId,
		resourceRef,
	}: Pick<CreditWalletRow, "customerId" | "currencyId"> & { resourceRef?: string },
) {
	return {
		customer: { id: customersByIds(work, [customerId]).get(customerId)?.refId ?? "" },
		currency: { id: currenciesByIds(work, [currencyId]).get(currencyId)?.refId ?? "" },
		resource: resourceRef ? { id: resourceRef } : null,
	};
}
