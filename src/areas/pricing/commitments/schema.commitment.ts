import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { literals } from "../../../kernel/schema";

const closed = { additionalProperties: false };

/** One hour, or a length on the calendar. */
const CommitmentInterval = Type.Object(
	{ unit: literals("HOUR", "DAY", "WEEK", "MONTH", "YEAR"), count: Type.Integer({ minimum: 1, maximum: 3652 }) },
	closed,
);

export const commitmentRules = {
	overageFactor: Type.Optional(ExactNumber({ minimum: 1, maximum: 100 })),
	/** Default: the billing period. */
	interval: Type.Optional(CommitmentInterval),
	isTrueUp: Type.Optional(Type.Boolean()),
};

/** Our addition: what usage owes in each window (docs/pricing.md#commitments). It has exactly one of `amount` and `quantity`. */
export const CommitmentInput = Type.Object(
	{
		/** In the currency of the price. */
		amount: Type.Optional(ExactNumber({ minimum: 0, maximum: 1e12 })),
		/** The price of so many units. */
		quantity: Type.Optional(ExactNumber({ minimum: 0, maximum: 1e15 })),
		...commitmentRules,
	},
	closed,
);
export type CommitmentInput = Static<typeof CommitmentInput>;

export const commitmentRulesShown = {
	overageFactor: Type.Optional(Type.Number()),
	interval: Type.Optional(CommitmentInterval),
	isTrueUp: Type.Optional(Type.Boolean()),
};

/** A commitment as responses show it, without defaults. */
export const CommitmentShown = Type.Object({
	amount: Type.Optional(Type.Number()),
	quantity: Type.Optional(Type.Number()),
	...commitmentRulesShown,
});
export type CommitmentShown = Static<typeof CommitmentShown>;
