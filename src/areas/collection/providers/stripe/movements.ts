import type { Stripe } from "stripe";
import type { Instant } from "../../../../kernel/clock";
import type { Movement } from "../provider";
import { fromUnits } from "./amounts";
import { idOf } from "./answers";
import type { Call, Caller } from "./client";

const pageRows = 100;
const daySeconds = 86_400;

/**
 * Lists all movements since an instant, oldest first. The provider lists the newest first, so the adapter reads windows of time and
 * halves a window until it fits on a page: memory stays bounded, and a caller can stop after any row.
 */
export async function* movementsSince(call: Caller, since: Instant): AsyncGenerator<Movement> {
	let from = Math.floor(since / 1000);
	let width = daySeconds;
	// The provider's own clock ends the list: the newest movement that exists at the beginning.
	const last = await newestOf(call);
	while (from <= last) {
		const read = await call((one) => readWindow(one, from, width));
		if (read === "TOO MANY") {
			width = Math.max(1, width >> 1);
			continue;
		}
		for (const row of read.reverse()) yield movementOf(row);
		from += width;
		if (read.length < pageRows >> 1) width = Math.min(width * 2, 30 * daySeconds);
	}
}

const newestOf = (call: Caller): Promise<number> =>
	call(async ({ client, options }) => {
		const { data } = await client.balanceTransactions.list({ limit: 1 }, options());
		return data[0]?.created ?? 0;
	});

async function readWindow({ client, options }: Call, from: number, width: number) {
	const rows: Stripe.BalanceTransaction[] = [];
	const expand = ["data.source"];
	for (;;) {
		const after = rows.at(-1)?.id;
		const { data, has_more: hasMore } = await client.balanceTransactions.list(
			{
				...{ created: { gte: from, lt: from + width }, limit: pageRows, expand },
				...(after !== undefined && { starting_after: after }),
			},
			options(),
		);
		rows.push(...data);
		if (!hasMore) return rows;
		if (width > 1) return "TOO MANY";
	}
}

const kinds: Readonly<Record<string, Movement["kind"]>> = {
	...{ charge: "PAYMENT", payment: "PAYMENT", refund: "REFUND", payment_refund: "REFUND", refund_failure: "REFUND" },
	...{ stripe_fee: "FEE", tax_fee: "FEE", network_cost: "FEE", stripe_fx_fee: "FEE", application_fee: "FEE" },
	...{ payout: "PAYOUT", payout_cancel: "PAYOUT", payout_failure: "PAYOUT" },
};

function movementOf(row: Stripe.BalanceTransaction): Movement {
	const { id, type, amount, currency, fee, created } = row;
	const source = typeof row.source === "object" ? row.source : null;
	const isDispute = source?.object === "dispute";
	const payment = source?.object === "charge" ? idOf(source.payment_intent) : null;
	return {
		ref: id,
		kind: isDispute ? (amount < 0 ? "DISPUTE" : "DISPUTE_REVERSAL") : (kinds[type] ?? "OTHER"),
		sourceRef: payment ?? idOf(row.source),
		money: fromUnits(amount, currency),
		fee: fromUnits(fee, currency).amount,
		at: (created * 1000) as Instant,
	};
}
