import type { Prices, Till } from "../../billing";
import { flat, till, used } from "../../billing";

/** Sells a fee of 300.00 and calls at 1.00 with commitments of the whole subscription. */
export async function sold(
	commitments: readonly object[],
	{
		start = "2026-04-01T00:00:00Z",
		fee = { month: 300 },
		models = [],
		plan = {},
		body = {},
	}: { start?: string; fee?: Prices | null; models?: readonly object[]; plan?: object; body?: object } = {},
): Promise<Till & { readonly id: string }> {
	const ours = await till(start);
	await ours.plan("pro", [...(fee ? [flat(fee)] : []), used("calls", { month: 1 }), ...models], {
		commitments,
		...plan,
	});
	return { ...ours, id: await ours.buy("pro", body) };
}

export const usd = (amount: number, more: object = {}) => ({ currency: "usd", amount, ...more });

/** Advances the clock, and sends usage of that time. */
export async function useAt({ advance, use }: Pick<Till, "advance" | "use">, value: number, at: string): Promise<void> {
	await advance(at);
	await use("calls", value, at);
}
