import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable, RefId, Timestamp } from "../../../kernel/schema";
import { grantTypes } from "../schema.values";

/** An addition to the reference interface. */
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
	/** The cost of grants that became active in the range. */
	granted: Type.Number(),
	/** The cost of credits that are not consumed, expired or voided at the end of the range. */
	deferred: Type.Number(),
	recognised: Type.Number(),
	breakage: Type.Number(),
	voided: Type.Number(),
};

export const RevenueRow = Type.Object({ currencyId: Type.String(), grantType: literals(...grantTypes), ...worth });

/** `from` and `to` are widened to whole days, UTC. One sum for each currency of cost. */
export const Revenue = Type.Object({
	from: nullable(Type.String()),
	to: nullable(Type.String()),
	data: Type.Array(RevenueRow),
	sums: Type.Array(Type.Object(worth)),
});
export type Revenue = Static<typeof Revenue>;
