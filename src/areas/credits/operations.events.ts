import { toIso, toIsoOrNull } from "../../kernel/clock";
import { exact, toWire, zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { currenciesByIds } from "../currencies/operations";
import { customersByIds } from "../customers/operations";
import { writeEvent } from "../outbox/operations";
import { leftOf, type WalletShown } from "./rules.totals";
import { selectWallet } from "./store.wallets";
import type { CreditGrantRow, CreditWalletRow } from "./table";

/** What has become of a grant. An overdraft is no grant to those outside: its balance is told. */
export function grantTold(
	work: Work,
	what: "created" | "updated" | "depleted" | "expired" | "voided",
	grant: CreditGrantRow,
): void {
	if (grant.grantType === "OVERDRAFT") return;
	const wallet = selectWallet(work, grant.walletId);
	assert(wallet, "a grant has a wallet");
	writeEvent(work, `credit_grant.${what}`, grant.id, {
		id: grant.id,
		entityId: grant.id,
		name: grant.displayName,
		grantType: grant.grantType,
		status: grant.status,
		amount: toWire(grant.amount),
		consumedAmount: toWire(grant.consumed),
		...holderOf(work, wallet),
		effectiveAt: toIso(grant.effectiveAt),
		expireAt: toIsoOrNull(grant.expireAt),
		voidedAt: toIsoOrNull(grant.voidedAt),
	});
}

export function balanceTold(work: Work, what: "low" | "depleted", wallet: CreditWalletRow, shown: WalletShown): void {
	const { limit, usage } = shown;
	const used = limit === zero ? 100 : exact(usage).times(100).div(exact(limit)).toNumber();
	writeEvent(work, `credit_balance.${what}`, wallet.id, {
		eventId: work.newId(),
		...holderOf(work, wallet),
		totalGranted: toWire(limit),
		remaining: toWire(leftOf(shown)),
		percentageUsed: Math.round(used * 100) / 100,
	});
}

/** Whose the credits are, by the callers' ids. */
export function holderOf(
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
