import type { SubscriptionPreviewed } from "../subscriptions/preview/schema";

/**
 * What an offer comes to, as a short text that changes with it: whoever confirms says which one it has seen. By what recurs,
 * which the moment does not change; where nothing recurs, by what is paid at once.
 */
export function offerOf({
	recurringInvoice,
	immediateInvoice,
}: Pick<SubscriptionPreviewed, "recurringInvoice" | "immediateInvoice">): string {
	const { currency, total, lines } = recurringInvoice ?? immediateInvoice;
	const terms = JSON.stringify([
		currency,
		total,
		lines.map((line) => [line.description, line.quantity, line.subTotal]),
	]);
	return new Bun.CryptoHasher("sha256").update(terms).digest("hex").slice(0, 32);
}
