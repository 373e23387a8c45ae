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
	/** False for who is let in by an identity provider: neither is shown, nor changed, by such a session. */
	hasPassword: Type.Boolean(),
	hasSecondFactor: Type.Boolean(),
	memberships: Type.Array(
		Type.Object({
			accountId: Type.String(),
			accountName: Type.String(),
			/** In the account; null where there are roles in some environments only. */
			role: nullable(Type.String()),
			environments: Type.Array(
				Type.Object({
					...{ id: Type.String(), name: Type.String(), type: Type.String(), role: Type.String() },
					/** What one may do there, such as `CATALOG:WRITE`, which includes reading. */
					scopes: Type.Array(Type.String()),
				}),
			),
		}),
	),
});
