import { type Static, Type } from "@sinclair/typebox";
import { literals, Timestamp } from "../../../kernel/schema";

/** Our own route. Our bound: two years of days. */
export const totalsDaysMax = 731;

export const InvoiceTotalsQuery = Type.Object(
	{
		from: Type.Optional(Timestamp),
		to: Type.Optional(Timestamp),
		interval: Type.Optional(literals("DAY", "MONTH")),
	},
	{ additionalProperties: false },
);
export type InvoiceTotalsQuery = Static<typeof InvoiceTotalsQuery>;

export const InvoiceTotals = Type.Object(
	{
		/** The first day, in UTC: "2026-11-01". */
		from: Type.String(),
		currency: Type.String(),
		invoices: Type.Integer(),
		/** In major units, tax included; to the hundredth. */
		total: Type.Number(),
	},
	{ $id: "InvoiceTotals" },
);
