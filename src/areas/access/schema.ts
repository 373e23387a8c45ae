import { Type } from "@sinclair/typebox";
import { nullable } from "../../kernel/schema";
import { codes, Password } from "./sign-in/schema";

export const LoginBody = Type.Object(
	{
		email: Type.String({ format: "email", maxLength: 255 }),
		password: Password,
		...codes,
	},
	{ additionalProperties: false },
);

export const SessionView = Type.Object({ token: Type.String(), expiresAt: Type.String() });

export const MeView = Type.Object({
	id: Type.String(),
	email: Type.String(),
	name: nullable(Type.String()),
	/** False in a session by an identity provider, which neither shows nor changes the password. */
	hasPassword: Type.Boolean(),
	hasSecondFactor: Type.Boolean(),
	memberships: Type.Array(
		Type.Object({
			accountId: Type.String(),
			accountName: Type.String(),
			/** The role in the account; null if the member has only environment roles. */
			role: nullable(Type.String()),
			environments: Type.Array(
				Type.Object({
					...{ id: Type.String(), name: Type.String(), type: Type.String(), role: Type.String() },
					/** The scopes, such as `CATALOG:WRITE`, which includes reading. */
					scopes: Type.Array(Type.String()),
				}),
			),
		}),
	),
});
