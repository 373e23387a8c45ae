import { instantOf } from "../../../kernel/clock";
import { type Decimal, zero } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds, currenciesByRefs } from "../../currencies/operations";
import type { CurrencyRow } from "../../currencies/table";
import { findResource, getCustomer } from "../../customers/operations";
import { type Draw, drawCredits } from "../operations.consume";
import { shownOf, type WalletShown } from "../operations.wallets";
import { minus, plus } from "../posting";
import { creditAmountOf } from "../rules.amounts";
import { openWallet, periodEndOfWallet, saveWallet, selectWallet, type WalletOf } from "../store.wallets";
import type { CreditConsumptionRow, CreditWalletRow } from "../table";
import { assertNotAhead, assertSameIdempotentRequest, type Said } from "./rules";
import type { CreditConsumption, CreditConsumptions, CreditsConsumed } from "./schema";
import { findConsumption, insertConsumption, markSettled } from "./store";
import { viewConsumption } from "./view";

/**
 * Takes credits without any feature, and answers what the wallet shows after it. Never refused for lack of credits. A key
 * that was used before takes nothing and answers as it did. CustomerNotFound, CustomerResourceNotFound,
 * CustomCurrencyNotFound, BadUserInput.
 */
export function consumeCredits(work: Work, input: CreditConsumption): CreditsConsumed {
	const consumption = readConsumption(work, input, "body");
	if ("kept" in consumption) return viewConsumption(input, consumption.kept);
	const { of, said } = consumption;
	const id = work.newId();
	const at = said.createdAt ?? work.now;
	const [shown] = drawCredits(work, [drawOf(of, { ...said, id, at })]);
	assert(shown, "what is drawn shows its wallet");
	return viewConsumption(input, keep(work, { id, ...consumption, shown, isSettled: true }));
}

/**
 * Keeps consumptions, all or none, that are to be taken in a moment (settle.ts); until then they count as waiting in what
 * their wallets show. What has come before under its key is left out. Refuses as `consumeCredits`, naming the item.
 */
export function acceptConsumptions(work: Work, { consumptions }: CreditConsumptions): Record<never, never> {
	const wallets = new Map<string, CreditWalletRow>();
	for (const [at, input] of consumptions.entries()) {
		const consumption = readConsumption(work, input, `body/consumptions/${at}`);
		if ("kept" in consumption) continue;
		const { of, said } = consumption;
		const name = `${of.customerId}\n${of.currencyId}\n${of.resourceRef}`;
		const before = wallets.get(name) ?? openWallet(work, of);
		const wallet = { ...before, waiting: plus(before.waiting, said.amount) };
		wallets.set(name, wallet);
		keep(work, { id: work.newId(), ...consumption, shown: shownOf(wallet), isSettled: false });
	}
	for (const wallet of wallets.values()) saveWallet(work, wallet, { waiting: wallet.waiting });
	if (wallets.size > 0) work.wake("credits");
	return {};
}

/** Takes what waits of one wallet, each once. */
export function settleConsumptions(work: Work, walletId: string, rows: readonly CreditConsumptionRow[]): void {
	const wallet = selectWallet(work, walletId);
	assert(wallet, "a consumption has a wallet");
	const total = rows.reduce<Decimal>((sum, { amount }) => plus(sum, amount), zero);
	saveWallet(work, wallet, { waiting: minus(wallet.waiting, total) });
	drawCredits(
		work,
		rows.map((row) => drawOf(wallet, row)),
	);
	for (const { id } of rows) markSettled(work, id);
}

const drawOf = (
	{ customerId, currencyId, resourceRef }: WalletOf,
	{ id, amount, at, dimensions }: Pick<CreditConsumptionRow, "id" | "amount" | "at" | "dimensions">,
): Draw => ({ wallet: { customerId, currencyId, resourceRef }, amount, at, featureId: null, eventId: id, dimensions });

interface NewConsumption {
	readonly of: WalletOf;
	readonly said: Said;
	readonly idempotencyKey: string;
}

/** What is to be consumed, or what was under its key. */
function readConsumption(
	work: Work,
	input: CreditConsumption,
	where: string,
): NewConsumption | { readonly kept: CreditConsumptionRow } {
	const { idempotencyKey, dimensions } = input;
	const customer = getCustomer(work, input.customerId);
	const said: Said = {
		currencyId: input.currencyId,
		resourceId: input.resourceId ?? "",
		amount: creditAmountOf(`${where}/amount`, input.amount),
		createdAt: input.createdAt === undefined ? null : instantOf(input.createdAt),
		dimensions: dimensions && Object.keys(dimensions).length > 0 ? dimensions : null,
	};
	const kept = findConsumption(work, { customerId: customer.id, idempotencyKey });
	if (kept) {
		assertSameIdempotentRequest(saidBefore(work, kept), said, { idempotencyKey, where });
		return { kept };
	}
	assertNotAhead(said.createdAt, work.now, where);
	if (said.resourceId !== "" && !findResource(work, customer.id, said.resourceId))
		throw fail(
			"CustomerResourceNotFound",
			`${where}/resourceId: customer '${input.customerId}' has no resource '${said.resourceId}'.`,
		);
	const currencyId = activeCurrency(work, input.currencyId).id;
	return { of: { customerId: customer.id, currencyId, resourceRef: said.resourceId }, said, idempotencyKey };
}

function activeCurrency(work: Work, refId: string): CurrencyRow {
	const currency = currenciesByRefs(work, [refId]).get(refId);
	assert(currency, "a currency that is not there is refused");
	return currency;
}

function saidBefore(work: Work, { walletId, amount, sentAt, dimensions }: CreditConsumptionRow): Said {
	const wallet = selectWallet(work, walletId);
	const currency = wallet && currenciesByIds(work, [wallet.currencyId]).get(wallet.currencyId);
	assert(wallet && currency, "a consumption has a wallet, and that a currency");
	return { currencyId: currency.refId, resourceId: wallet.resourceRef, amount, createdAt: sentAt, dimensions };
}

function keep(
	work: Work,
	{
		id,
		of,
		said,
		idempotencyKey,
		shown,
		isSettled,
	}: NewConsumption & { readonly id: string; readonly shown: WalletShown; readonly isSettled: boolean },
): CreditConsumptionRow {
	return insertConsumption(work, {
		id,
		customerId: of.customerId,
		walletId: shown.walletId,
		idempotencyKey,
		amount: said.amount,
		dimensions: said.dimensions,
		sentAt: said.createdAt,
		at: said.createdAt ?? work.now,
		isSettled,
		usageAfter: shown.usage,
		limitAfter: shown.limit,
		periodEndAfter: periodEndOfWallet(work, shown.walletId),
	});
}
