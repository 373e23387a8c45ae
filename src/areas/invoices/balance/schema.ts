import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { pageQuery } from "../../../kernel/page";
import { Currency, literals, nullable } from "../../../kernel/schema";

/**
 * CREDITED: by a credit note. APPLIED: to an invoice at its issue. RETURNED: what had been paid of an invoice that was canceled.
 * OVERPAID: a payment of more than was due. REFUNDED: paid back. VOIDED: what a credit note gave that was taken back. ADJUSTED: by hand, with a reason. (Our names.)
 */
export const balanceEntryKinds = [
	"CREDITED",
	"APPLIED",
	"RETURNED",
	"OVERPAID",
	"REFUNDED",
	"VOIDED",
	"ADJUSTED",
] as const;

/** Our choice: as much as an invoice may amount to. */
export const amountMax = 10_000_000_000_000;

/** What a customer has in credit, in each currency in which there is something: it pays the next invoices. (Our own route.) */
export const CustomerBalance = Type.Array(
	Type.Object({ amount: Type.Number(), currency: Type.String() }, { additionalProperties: false }),
	{ $id: "CustomerBalance" },
);

/** Adds to a balance (above zero) or takes from it (below zero), in major units. */
export const BalanceAdjustment = Type.Object(
	{
		amount: ExactNumber({ minimum: -amountMax, maximum: amountMax }),
		currency: Currency,
		reason: Type.String({ minLength: 1, maxLength: 500 }),
	},
	{ additionalProperties: false },
);
export type BalanceAdjustment = Static<typeof BalanceAdjustment>;

export const BalanceEntryListQuery = Type.Object(
	{ ...pageQuery, currency: Type.Optional(Currency) },
	{ additionalProperties: false },
);
export type BalanceEntryListQuery = Static<typeof BalanceEntryListQuery>;

const nullableText = nullable(Type.String());

/** A change of a customer's balance, and what there was after it. */
export const BalanceEntry = Type.Object(
	{
		entryId: Type.String(),
		kind: literals(...balanceEntryKinds),
		amount: Type.Number(),
		balance: Type.Number(),
		currency: Type.String(),
		invoiceId: nullableText,
		creditNoteId: nullableText,
		paymentId: nullableText,
		reason: nullableText,
		createdAt: Type.String(),
	},
	{ $id: "BalanceEntry", additionalProperties: false },
);
export type BalanceEntry = Static<typeof BalanceEntry>;
