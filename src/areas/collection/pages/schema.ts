import { type Static, Type } from "@sinclair/typebox";
import { CustomerRefId, literals, nullable } from "../../../kernel/schema";

/** OPEN until the customer has saved a method (COMPLETE) or the provider has closed the page (EXPIRED). */
export const methodPageStates = ["OPEN", "COMPLETE", "EXPIRED"] as const;

const closed = { additionalProperties: false };

const Url = Type.String({
	minLength: 1,
	maxLength: 2048,
	pattern: "^https?://",
	description: "an http or https address",
});
const Id = Type.String({ minLength: 1, maxLength: 255 });

export const MethodSetup = Type.Object({ connectionId: Type.Optional(Id), successUrl: Url, cancelUrl: Url }, closed);
export type MethodSetup = Static<typeof MethodSetup>;

export const MethodPagePath = Type.Object({ id: CustomerRefId, pageId: Id });

export const MethodPage = Type.Object(
	{
		id: Type.String(),
		connectionId: Type.String(),
		state: literals(...methodPageStates),
		/** The address for the customer; null once the page has ended. */
		url: nullable(Type.String()),
		expiresAt: Type.String(),
		createdAt: Type.String(),
	},
	{ $id: "MethodPage" },
);
export type MethodPage = Static<typeof MethodPage>;
