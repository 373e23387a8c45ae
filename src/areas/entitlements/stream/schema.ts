import { type Static, Type } from "@sinclair/typebox";
import { queryTexts } from "../../../kernel/query";
import { literals } from "../../../kernel/schema";

/** The customers that one connection follows. For more, open several connections or use webhooks. */
export const customersMax = 200;

/** An addition to the reference interface. Without `customerId`: all customers of the environment, up to the same bound. */
export const EntitlementStreamQuery = Type.Object(
	{
		customerId: Type.Optional(queryTexts(customersMax, 255)),
		/** The resource of each customer; omitted or empty: no resource. */
		resourceId: Type.Optional(Type.String({ maxLength: 255 })),
		once: Type.Optional(literals("true", "false")),
	},
	{ additionalProperties: false },
);
export type EntitlementStreamQuery = Static<typeof EntitlementStreamQuery>;
