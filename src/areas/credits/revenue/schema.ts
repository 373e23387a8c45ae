import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable, RefId, Timestamp } from "../../../kernel/schema";
import { grantTypes } from "../schema.values";

/** Our addition to the interface. */
export const RevenueQuery = Type.Object(
	{
		from: Type.Optional(Timestamp),
		to: Type.Optional(Timestamp),
		currencyId: Type.Optional(RefId),
		format: Type.Optional(literals("json", "csv")),
	},
	{ additionalProperties: false },
);
export type RevenueQuery = Static<typeof RevenueQuery>;

/** In major units of `costCurrency`. */
const worth = {
	costCurrency: Type.String(),
	/** What grants cost that became effective within the time. */
	granted: Type.Number(),
	/** Of what was granted, not yet consumed, expired or voided at its end. */
	deferred: Type.Number(),
	recognised: Type.Number(),
	breakage: Type.Number(),
	voided: Type.Number(),
};

export const RevenueRow = Type.Object({ currencyId: Type.String(), grantType: literals(...grantTypes), ...worth });

/** Whole days, UTC: `from` and `to` as they were reckoned. One sum for each currency of cost. */
export const Revenue = Type.Object({
	from: nullable(Type.String()),
	to: nullable(Type.String()),
	data: Type.Array(RevenueRow),
	sums: Type.Array(Type.Object(worth)),
});
export type Revenue = Static<typeof Revenue>;
