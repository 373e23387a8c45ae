import { expect } from "bun:test";
import type { Answer } from "../../support/world";
import { type Till, till } from "../subscriptions/billing";

/** A till whose clock is frozen, with functions for taxes. */
export async function shop(start = "2026-04-01T00:00:00Z") {
	const ours = await till(start);
	return {
		...ours,
		/** Creates a tax; `+` before the percentage means that it is added to prices, otherwise they include it. */
		tax: (id: string, percentage: string, more: object = {}) =>
			ours.insist("POST", "/taxes", {
				id,
				displayName: id.toUpperCase(),
				percentage: Number(percentage),
				isInclusive: !percentage.startsWith("+"),
				...more,
			}),
		settings: (body: object) => ours.insist("PATCH", "/environments/current", body),
		taxed: (customer = "acme") => taxedOf(ours, customer),
	};
}

export type Shop = Awaited<ReturnType<typeof shop>>;

/**
 * Returns the invoices of a customer as texts: net, discount, tax and total, then each line with its taxes. If every line has taxes, it
 * checks that they sum to the tax of the invoice.
 */
async function taxedOf(ours: Till, customer: string): Promise<string[]> {
	const invoices: Answer["body"][] = await ours.insist("GET", `/customers/${customer}/invoices?limit=100`);
	return invoices.map(textOf);
}

export function textOf({ subtotal, discount, tax, total, lineItems }: Answer["body"]): string {
	const cents = (amount: number) => Math.round(amount * 100);
	const taxes = lineItems.flatMap((line: { taxes?: Array<{ amount: number }> }) => line.taxes ?? []);
	if (lineItems.every((line: { taxes?: unknown }) => line.taxes))
		expect(taxes.reduce((all: number, one: { amount: number }) => all + cents(one.amount), 0)).toBe(cents(tax));
	const lines = lineItems.map((line: Answer["body"]) =>
		[
			`${line.description} ${line.amount}`,
			...(line.taxes ?? []).map((one: Answer["body"]) => `${one.taxId} ${one.percentage}%: ${one.amount}`),
		].join(" | "),
	);
	return `${subtotal} - ${discount} + ${tax} = ${total}: ${lines.join("; ")}`;
}
