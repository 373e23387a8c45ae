import { instantOf } from "../../../kernel/clock";
import { type Decimal, zero } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds, currenciesByRefs } from "../../currencies/operations";
import type { CurrencyRow } from "../../currencies/table";
import { findResource, getCustomer } from "../../customers/operations";
import { assertAttributable } from "../../governance/operations.attribution";
import { consumeFromWallets, type WalletUse } from "../operations.consume";
import { totalsOf, type WalletTotals } from "../operations.wallets";
import { minus, plus } from "../posting";
import { creditAmountOf } from "../rules.amounts";
import { getWallet, openWallet, periodEndOfWallet, saveWallet, type WalletOf } from "../store.wallets";
import type { CreditConsumptionRow, CreditWalletRow } from "../table";
import { assertNotAhead, assertSameIdempotentRequest, type ConsumptionTerms } from "./rules";
import type { CreditConsumption, CreditConsumptions, CreditsConsumed } from "./schema";
import { findConsumption, insertConsumption, markSettled } from "./store";
import { viewConsumption } from "./view";

/**
 * Consumes credits without a feature. Returns the totals of the wallet afterwards. Never refuses for lack of credits. A repeated
 * idempotency key consumes nothing and returns the first answer. Throws CustomerNotFound, CustomerResourceNotFound,
 * CustomCurrencyNotFound, BadUserInput.
 */
export function consumeCredits(work: Work, input: CreditConsumption): CreditsConsumed {
	const consumption = readConsumption(work, input, "body");
	if ("stored" in consumption) return viewConsumption(input, consumption.stored);
	const { wallet, terms } = consumption;
	const id = work.newId();
	const at = terms.createdAt ?? work.now;
	const [totals] = consumeFromWallets(work, [walletUseOf(wallet, { ...terms, id, at })]);
	assert(totals, "each use returns the totals of its wallet");
	return viewConsumption(input, record(work, { id, ...consumption, totals, isSettled: true }));
}

/**
 * Records consumptions, all or none; the job of settle.ts consumes their credits within moments. Until then they count as used in
 * the totals of their wallets. Skips repeated idempotency keys. Refuses as `consumeCredits`, and names the item.
 */
export function acceptConsumptions(work: Work, { consumptions }: CreditConsumptions): Record<never, never> {
	const wallets = new Map<string, CreditWalletRow>();
	for (const [at, input] of consumptions.entries()) {
		const consumption = readConsumption(work, input, `body/consumptions/${at}`);
		if ("stored" in consumption) continue;
		const { wallet, terms } = consumption;
		const name = `${wallet.customerId}\n${wallet.currencyId}\n${wallet.resourceRef}`;
		const before = wallets.get(name) ?? openWallet(work, wallet);
		const after = { ...before, waiting: plus(before.waiting, terms.amount) };
		wallets.set(name, after);
		record(work, { id: work.newId(), ...consumption, totals: totalsOf(after), isSettled: false });
	}
	for (const wallet of wallets.values()) saveWallet(work, wallet, { waiting: wallet.waiting });
	if (wallets.size > 0) work.wake("credits");
	return {};
}

/** Consumes the credits of accepted consumptions of one wallet, each once. */
export function settleConsumptions(work: Work, walletId: string, rows: readonly CreditConsumptionRow[]): void {
	const wallet = getWallet(work, { walletId });
	const total = rows.reduce<Decimal>((sum, { amount }) => plus(sum, amount), zero);
	saveWallet(work, wallet, { waiting: minus(wallet.waiting, total) });
	consumeFromWallets(
		work,
		rows.map((row) => walletUseOf(wallet, row)),
	);
	for (const { id } of rows) markSettled(work, id);
}

const walletUseOf = (
	{ customerId, currencyId, resourceRef }: WalletOf,
	{ id, amount, at, dimensions }: Pick<CreditConsumptionRow, "id" | "amount" | "at" | "dimensions">,
): WalletUse => ({
	wallet: { customerId, currencyId, resourceRef },
	amount,
	at,
	featureId: null,
	eventId: id,
	dimensions,
});

interface NewConsumption {
	readonly wallet: WalletOf;
	readonly terms: ConsumptionTerms;
	readonly idempotencyKey: string;
}

/** Validates a request. Returns the new consumption, or the stored one of a repeated key. */
function readConsumption(
	work: Work,
	input: CreditConsumption,
	where: string,
): NewConsumption | { readonly stored: CreditConsumptionRow } {
	const { idempotencyKey, dimensions } = input;
	const customer = getCustomer(work, input.customerId);
	const terms: ConsumptionTerms = {
		currencyId: input.currencyId,
		resourceId: input.resourceId ?? "",
		amount: creditAmountOf(`${where}/amount`, input.amount),
		createdAt: input.createdAt === undefined ? null : instantOf(input.createdAt),
		dimensions: dimensions && Object.keys(dimensions).length > 0 ? dimensions : null,
	};
	const stored = findConsumption(work, { customerId: customer.id, idempotencyKey });
	if (stored) {
		assertSameIdempotentRequest(storedTerms(work, stored), terms, { idempotencyKey, where });
		return { stored };
	}
	assertNotAhead(terms.createdAt, work.now, where);
	assertAttributable(work, dimensions, where);
	if (terms.resourceId !== "" && !findResource(work, customer.id, terms.resourceId))
		throw fail(
			"CustomerResourceNotFound",
			`${where}/resourceId: customer '${input.customerId}' has no resource '${terms.resourceId}'.`,
		);
	const currencyId = activeCurrency(work, input.currencyId).id;
	return { wallet: { customerId: customer.id, currencyId, resourceRef: terms.resourceId }, terms, idempotencyKey };
}

function activeCurrency(work: Work, refId: string): CurrencyRow {
	const currency = currenciesByRefs(work, [refId]).get(refId);
	assert(currency, "unknown currencies are refused before");
	return currency;
}

function storedTerms(work: Work, { walletId, amount, sentAt, dimensions }: CreditConsumptionRow): ConsumptionTerms {
	const wallet = getWallet(work, { walletId });
	const currency = currenciesByIds(work, [wallet.currencyId]).get(wallet.currencyId);
	assert(currency, "wallets have a currency");
	return { currencyId: currency.refId, resourceId: wallet.resourceRef, amount, createdAt: sentAt, dimensions };
}

function record(
	work: Work,
	{
		id,
		wallet,
		terms,
		idempotencyKey,
		totals,
		isSettled,
	}: NewConsumption & { readonly id: string; readonly totals: WalletTotals; readonly isSettled: boolean },
): CreditConsumptionRow {
	return insertConsumption(work, {
		id,
		customerId: wallet.customerId,
		walletId: totals.walletId,
		idempotencyKey,
		amount: terms.amount,
		dimensions: terms.dimensions,
		sentAt: terms.createdAt,
		at: terms.createdAt ?? work.now,
		isSettled,
		usageAfter: totals.usage,
		limitAfter: totals.limit,
		periodEndAfter: periodEndOfWallet(work, totals.walletId),
	});
}
