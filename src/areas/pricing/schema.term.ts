import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../kernel/number-schema";
import { literals } from "../../kernel/schema";

export const EarlyCancellation = literals("AT_TERM_END", "PAY_REMAINDER", "ALLOWED");

/** Ten years. */
const Months = Type.Integer({ minimum: 1, maximum: 120 });

/** Our addition: the time for which a subscription is agreed (docs/pricing.md#terms). The limits are those of a contract's renewal. */
export const Term = Type.Object(
	{
		/** The length of the first term. */
		months: Months,
		/** Whether a further term follows. Default: true. */
		autoRenew: Type.Optional(Type.Boolean()),
		/** Later notice takes effect at the end of the next term. Default: 0. */
		noticePeriodDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
		/** The price increase of each further term. Default: 0. */
		upliftPercentage: Type.Optional(ExactNumber({ minimum: 0, maximum: 100 })),
		/** Whether prices of usage increase too. Default: false. */
		upliftsUsage: Type.Optional(Type.Boolean()),
		/** The length of each further term. Default: `months`. */
		renewalMonths: Type.Optional(Months),
		/** The effect of an end before the end of the term. Default: AT_TERM_END. */
		earlyCancellation: Type.Optional(EarlyCancellation),
	},
	{ additionalProperties: false },
);
export type Term = Static<typeof Term>;

/** The term in responses, with its defaults. */
export const TermShown = Type.Required(Term);
export type TermShown = Static<typeof TermShown>;
