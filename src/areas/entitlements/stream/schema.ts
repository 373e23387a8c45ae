import { type Static, Type } from "@sinclair/typebox";
import { queryTexts } from "../../../kernel/query";
import { literals } from "../../../kernel/schema";

/** Our choice: as many customers as one connection follows; who has more opens several, or asks by webhook. */
export const customersMax = 200;

/** Ours. Without `customerId` all customers of the environment, within the same bound. */
export const EntitlementStreamQuery = Type.Object(
	{
		customerId: Type.Optional(queryTexts(customersMax, 255)),
		/** Of each of the customers; left out or empty, what belongs to none. */
		resourceId: Type.Optional(Type.String({ maxLength: 255 })),
		once: Type.Optional(literals("true", "false")),
	},
	{ additionalProperties: false },
);
export type EntitlementStreamQuery = Static<typeof EntitlementStreamQuery>;
