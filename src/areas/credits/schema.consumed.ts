import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../kernel/schema";

/** The credits that one use consumed, and the balance afterwards (docs/interface/usage.md). */
export const ConsumedCredits = Type.Object(
	{
		currencyId: Type.String(),
		/** By this use alone. */
		consumed: Type.Number(),
		/** All credits consumed from the active grants, and the overdraft. */
		currentUsage: Type.Number(),
		/** The total of the active grants. */
		usageLimit: Type.Number(),
		/** The version of the balance: of two answers, the later one is current. */
		timestamp: Type.String(),
		/** When the first recurring grant ends. */
		usagePeriodEnd: nullable(Type.String()),
	},
	{ $id: "CreditTaken" },
);
export type ConsumedCredits = Static<typeof ConsumedCredits>;
