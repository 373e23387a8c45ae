import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { queryList } from "../../../kernel/query";
import { literals, nullable } from "../../../kernel/schema";
import { walletsQuery } from "../balances/schema";
import { ledgerEventTypes } from "../schema.values";

export const LedgerQuery = Type.Object(
	{ ...pageQuery, ...walletsQuery, eventType: Type.Optional(queryList(...ledgerEventTypes)) },
	{ additionalProperties: false },
);
export type LedgerQuery = Static<typeof LedgerQuery>;

export const LedgerEntry = Type.Object(
	{
		customerId: Type.String(),
		creditCurrencyId: Type.String(),
		resourceId: nullable(Type.String()),
		creditGrantId: Type.String(),
		eventType: literals(...ledgerEventTypes),
		/** Never below zero: the type defines the direction. */
		amount: Type.Number(),
		featureId: nullable(Type.String()),
		/** The usage event, the report or the consumption that consumed the credits. */
		eventId: nullable(Type.String()),
		timestamp: Type.String(),
	},
	{ $id: "CreditLedgerEntry" },
);
export type LedgerEntry = Static<typeof LedgerEntry>;
