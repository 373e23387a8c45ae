import { checkRates } from "../../../../src/areas/invoices/check/operations.rates";
import { checkInvoices } from "../../../../src/areas/invoices/check/operations.sums";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { checkUsesOfCoupons } from "../../../../src/areas/subscriptions/billing/check/operations.coupon-uses";
import type { Answer } from "../../../support/world";
import { till } from "../../subscriptions/billing";

type Json = Answer["body"];

/** A till whose clock stands at 1 April, with functions for several coupons. */
export async function shop() {
	const ours = await till("2026-04-01T00:00:00Z");
	const coupon = (id: string, off: object, more: object = {}) =>
		ours.call("POST", "/coupons", {
			body: {
				...{ id, name: id.toUpperCase(), description: null, metadata: null, durationInMonths: null },
				...{ percentOff: null, amountsOff: null, ...off, ...more },
			},
		});
	return {
		...ours,
		createCoupon: coupon,
		percent: (id: string, percentOff: number, more: object = {}) => coupon(id, { percentOff }, more),
		fixed: (id: string, amount: number, more: object = {}) =>
			coupon(id, { amountsOff: [{ amount, currency: "usd" }] }, more),
		/** Returns the faults that the checks find. */
		faults: () =>
			ours.transactions.read(ours.actor, (work) => [
				...checkInvoices(work),
				...checkRates(work),
				...checkSubscriptionBills(work),
				...checkUsesOfCoupons(work),
			]),
		/** Returns each invoice and credit note as a text: its sums, and each line with its discounts. */
		discounted: async (customer = "acme"): Promise<string[]> => {
			const documents = [
				...(await ours.insist("GET", `/customers/${customer}/invoices?limit=100`)),
				...(await ours.insist("GET", `/customers/${customer}/credit-notes?limit=100`)),
			];
			return documents.map(textOf);
		},
	};
}

function textOf({ subtotal, discount, tax, total, lineItems }: Json): string {
	const lines = lineItems.map(({ description, amount, discounts = [] }: Json) =>
		[`${description} ${amount}`, ...discounts.map((one: Json) => `${one.couponId} ${one.amount}`)].join(" | "),
	);
	return `${subtotal} - ${discount} + ${tax} = ${total}: ${lines.join("; ")}`;
}

export const applied = (...couponIds: string[]) => ({ appliedCoupons: couponIds.map((couponId) => ({ couponId })) });
