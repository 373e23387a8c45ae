import { operation } from "../../openapi/operation";

const path = { id: "The identity provider's id" } as const;
const uncoded = { 404: "There is no such identity provider." } as const;

export const identityProviderOperations = {
	list: operation({
		operationId: "identityProviders.list",
		summary: "List identity providers",
		description: "The identity providers by which members of the account sign in. For signed-in users.",
		refusals: ["IdentityForbidden"],
	}),
	create: operation({
		operationId: "identityProviders.create",
		summary: "Add an identity provider",
		description:
			"An OpenID Connect provider: `issuer` is what it says of itself at `/.well-known/openid-configuration`. Register `callbackPath` of the answer there, behind the address of this server. People whose verified e-mail address is of one of `domains` become members when they first sign in, with the role of `roleMapping`. With `isRequired` the account is entered by its identity providers only. The client secret is never shown. For owners.",
		example: {
			name: "Example ID",
			issuer: "https://id.example.com",
			clientId: "tollgate",
			clientSecret: "the secret that the provider shows",
			domains: ["example.com"],
			roleMapping: { groups: [{ value: "billing-admins", role: "ADMIN" }], default: "READ_ONLY" },
		},
		refusals: ["DuplicatedEntityNotAllowed", "IdentityForbidden"],
	}),
	update: operation({
		operationId: "identityProviders.update",
		summary: "Change an identity provider",
		description: "Changes what is sent. For owners.",
		path,
		example: { isRequired: true },
		refusals: ["DuplicatedEntityNotAllowed", "IdentityForbidden"],
		uncoded,
	}),
	delete: operation({
		operationId: "identityProviders.delete",
		summary: "Remove an identity provider",
		description: "Whom it has let in is out at once; its people stay members of the account. For owners.",
		path,
		refusals: ["IdentityForbidden"],
		uncoded,
	}),
	makeScimToken: operation({
		operationId: "identityProviders.makeScimToken",
		summary: "Make the token for SCIM",
		description:
			"The provider sends it as `Authorization: Bearer` when it provisions people and groups below `basePath`. It is in this answer only; one made before ends at once. For owners.",
		path,
		refusals: ["IdentityForbidden"],
		uncoded,
	}),
	revokeScimToken: operation({
		operationId: "identityProviders.revokeScimToken",
		summary: "End the token for SCIM",
		path,
		refusals: ["IdentityForbidden"],
		uncoded,
	}),
};

const unreachable = { 404: "There is no such identity provider.", 503: "The provider does not answer." } as const;

export const signInOperations = {
	providers: operation({
		operationId: "auth.oidc.list",
		summary: "List the identity providers for an e-mail address",
		description: "Those that let its domain in. It says nothing of whether the address is known.",
		query: { email: ["The e-mail address of who signs in", "ada@example.com"] },
		callers: "anyone",
		refusals: ["BadUserInput"],
	}),
	start: operation({
		operationId: "auth.oidc.start",
		summary: "Begin a sign-in by an identity provider",
		description:
			"For browsers: redirects to the provider, which redirects back to `callback` within ten minutes, in the same browser.",
		path,
		query: { returnTo: "Where the browser goes then: a path of the console. Left out, the token is the answer" },
		callers: "anyone",
		refusals: ["BadUserInput", "IntegrationValidationError", "RateLimitExceeded"],
		uncoded: unreachable,
		answer: { description: "Never: a redirect to the provider (302)", contentType: "text/plain" },
	}),
	callback: operation({
		operationId: "auth.oidc.callback",
		summary: "End a sign-in by an identity provider",
		description:
			"The provider sends the browser here. Each `state` is good once, in the browser that began. The answer is a token as that of `POST /auth/login`; where the sign-in began with `returnTo`, a redirect there (302) with the session as a cookie.",
		path,
		query: {
			code: "What the provider has given",
			state: "What the sign-in began with",
			iss: "Who the provider is",
			error: "Why the provider has let nobody in",
			error_description: "The same for people",
		},
		callers: "anyone",
		refusals: [
			"BadUserInput",
			"IntegrationValidationError",
			"Unauthenticated",
			"IdentityForbidden",
			"RateLimitExceeded",
		],
		uncoded: unreachable,
	}),
};
