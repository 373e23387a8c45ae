import type { OperationNotes, RouteDetail } from "./operation";

/** One scheme for each kind of caller. */
export const securitySchemes = {
	serverKey: {
		type: "apiKey",
		in: "header",
		name: "X-API-KEY",
		description:
			"A full-access or a scoped key (`server-…`). Backends only. A scoped key needs the scopes that the operation names; WRITE includes READ.",
	},
	publishableKey: {
		type: "apiKey",
		in: "header",
		name: "X-API-KEY",
		description: "A publishable key (`client-…`), for browsers: reads what is sold, and what one customer may do.",
	},
	userToken: {
		type: "http",
		scheme: "bearer",
		description:
			"A user's token, from `POST /api/v1/auth/login`. It comes with `X-ENVIRONMENT-ID`; `X-ACCOUNT-ID` chooses among several memberships.",
	},
	scimToken: {
		type: "http",
		scheme: "bearer",
		description:
			"The token by which an identity provider provisions, from `POST /api/v1/identity-providers/{id}/scim-token`.",
	},
	customerToken: {
		type: "http",
		scheme: "bearer",
		description:
			"A customer's own token: of its portal (`portal-…`), or of an order (`checkout-…`). It does only what these show.",
	},
	environment: {
		type: "apiKey",
		in: "header",
		name: "X-ENVIRONMENT-ID",
		description: "The environment that a user's token acts in; `GET /api/v1/me` lists them. Ignored with a key.",
	},
} as const;

type Requirement = Partial<Record<keyof typeof securitySchemes, readonly string[]>>;

/** One of the requirements is enough. A scheme lists the scopes that a key needs. */
export function securityOf(permit: RouteDetail["permit"], callers: OperationNotes["callers"]): readonly Requirement[] {
	if (callers === "anyone") return [];
	if (callers === "user") return [{ userToken: [] }];
	if (callers === "scim") return [{ scimToken: [] }];
	if (permit?.session) return [{ customerToken: [] }];
	const scopes = [permit?.scope, permit?.also].filter((scope) => scope !== undefined);
	if (permit?.ofAccount) return [{ userToken: scopes }];
	return [
		{ serverKey: scopes },
		{ userToken: scopes, environment: [] },
		...(permit?.publishable ? [{ publishableKey: [] }] : []),
	];
}
