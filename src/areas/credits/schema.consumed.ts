import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../kernel/schema";

/** What was taken of a customer's credits at once, and what there is since. Source: docs/interface/usage.md. */
export const CreditTaken = Type.Object(
	{
		currencyId: Type.String(),
		/** By this alone. */
		consumed: Type.Number(),
		/** By all that was taken of the active grants, whatever took it, and of the overdraft. */
		currentUsage: Type.Number(),
		/** What the active grants come to. */
		usageLimit: Type.Number(),
		/** The version of the balance: of two answers the later one is to be kept. */
		timestamp: Type.String(),
		/** When the first of the recurring grants ends. */
		usagePeriodEnd: nullable(Type.String()),
	},
	{ $id: "CreditTaken" },
);
export type CreditTaken = Static<typeof CreditTaken>;
