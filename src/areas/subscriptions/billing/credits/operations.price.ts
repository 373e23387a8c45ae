import { type Decimal, divide, exact, toDecimal } from "../../../../kernel/decimal";
import type { Work } from "../../../../kernel/work";
import { selectLive } from "../../store.of-customers";
import { saleOf } from "../../terms/subscription-sale";

/** More precise than any price. */
const placesMax = 12;

/**
 * Returns the price of a credit of a currency for a customer (row ids), from the charges of its oldest active
 * subscription that sells it. Undefined if none does, or if only tiers price it.
 */
export function creditPriceOf(
	work: Work,
	{ customerId, currencyId }: { readonly customerId: string; readonly currencyId: string },
): { readonly amount: Decimal; readonly currency: string } | undefined {
	const running = selectLive(work, customerId).filter(({ status }) => status === "ACTIVE");
	for (const row of running.sort((one, other) => one.startAt - other.startAt))
		for (const { charge } of saleOf(work, row).prices) {
			const { topUpCurrencyId, price, blockSize } = charge;
			if (topUpCurrencyId !== currencyId || price === null || exact(price.amount).lte(0)) continue;
			const one =
				blockSize === null ? exact(price.amount) : divide(exact(price.amount), exact(blockSize), placesMax, "half-up");
			return { amount: toDecimal(one), currency: price.currency };
		}
	return undefined;
}
