/** Drafts of invoices, from docs/billing.md. It imports nothing of `src`. */
import { digitsOf } from "../support/oracle/pricing";
import { parse, ratio, times } from "../support/oracle/rational";
import type { Line } from "./bill";
import { type ManualLine, plain } from "./calls";
import { minorOf } from "./contracts/prices";

export interface Draft {
	readonly subscription: string;
	/** When the renewal created it. */
	readonly madeAt: number;
	/** When Tollgate issues it without a call. */
	readonly issueAt: number;
	readonly daysDue: number;
	readonly reason: string;
	readonly currency: string;
	readonly tax: string | null;
	readonly lines: Line[];
}

/** The line is rounded once, and taxed like the draft unless the caller states another rate. */
export function manualLine(draft: Draft, { quantity, unitPrice, taxPercentage }: ManualLine): Line {
	const places = digitsOf(draft.currency);
	const amount = minorOf(times(parse(plain(quantity)), parse(plain(unitPrice))), places);
	const inherited = draft.tax ?? draft.lines[0]?.taxPercentage ?? null;
	const rate = taxPercentage === undefined ? inherited : taxPercentage === null ? null : plain(taxPercentage);
	const tax =
		rate === null
			? 0n
			: minorOf(times(ratio(amount, 10n ** BigInt(places)), times(parse(rate), ratio(1, 100))), places);
	return {
		addon: null,
		feature: null,
		kind: "advance",
		quantity: plain(quantity),
		unitPrice: plain(unitPrice),
		span: null,
		amount,
		discount: 0n,
		tax,
		total: amount + tax,
		taxPercentage: rate,
		charged: null,
	};
}
