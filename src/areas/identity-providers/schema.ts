import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../kernel/page";
import { DisplayName, nullable } from "../../kernel/schema";

/** Limits of an account's providers and their domains. */
export const providersMax = 20;
const domainsMax = 50;
/** The maximum number of mapped groups. */
const mappedMax = 200;

/** A domain of email addresses. */
const Domain = Type.String({
	maxLength: 253,
	pattern: "^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$",
	description: "a domain such as example.com",
});

const Role = Type.String({ minLength: 1, maxLength: 255, description: "a role's name, or the id of one of your own" });

/** The roles by group and domain. The first matching entry wins, and groups precede domains. */
export const RoleMapping = Type.Object(
	{
		/** The claim with a person's groups; `groups` by default. */
		claim: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
		groups: Type.Optional(
			Type.Array(
				Type.Object(
					{ value: Type.String({ minLength: 1, maxLength: 255 }), role: Role },
					{ additionalProperties: false },
				),
				{ maxItems: mappedMax },
			),
		),
		domains: Type.Optional(
			Type.Array(Type.Object({ domain: Domain, role: Role }, { additionalProperties: false }), {
				maxItems: domainsMax,
			}),
		),
		/** The role if nothing matches; READ_ONLY by default. Null rejects such a person. */
		default: Type.Optional(nullable(Role)),
	},
	{ additionalProperties: false },
);
export type RoleMapping = Static<typeof RoleMapping>;

const Issuer = Type.String({ minLength: 1, maxLength: 2048 });
const ClientId = Type.String({ minLength: 1, maxLength: 1024 });
const ClientSecret = Type.String({ minLength: 1, maxLength: 4096 });
const Domains = Type.Array(Domain, { maxItems: domainsMax, uniqueItems: true });

export const IdentityProviderCreate = Type.Object(
	{
		name: DisplayName,
		issuer: Issuer,
		clientId: ClientId,
		clientSecret: ClientSecret,
		domains: Type.Optional(Domains),
		roleMapping: Type.Optional(RoleMapping),
		isRequired: Type.Optional(Type.Boolean()),
	},
	{ additionalProperties: false },
);
export type IdentityProviderCreate = Static<typeof IdentityProviderCreate>;

export const IdentityProviderUpdate = Type.Partial(IdentityProviderCreate, { additionalProperties: false });
export type IdentityProviderUpdate = Static<typeof IdentityProviderUpdate>;

export const IdentityProviderListQuery = Type.Object(pageQuery, { additionalProperties: false });
export type IdentityProviderListQuery = Static<typeof IdentityProviderListQuery>;

export const IdentityProviderPath = Type.Object({ id: Type.String({ maxLength: 255 }) });

export const IdentityProvider = Type.Object(
	{
		id: Type.String(),
		accountId: Type.String(),
		name: Type.String(),
		issuer: Type.String(),
		clientId: Type.String(),
		domains: Type.Array(Type.String()),
		roleMapping: RoleMapping,
		isRequired: Type.Boolean(),
		/** Whether a SCIM token exists. */
		hasScimToken: Type.Boolean(),
		/** Paths of this server: the start of a sign-in, and the redirect URI to configure at the provider. */
		startPath: Type.String(),
		callbackPath: Type.String(),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "IdentityProvider" },
);
export type IdentityProvider = Static<typeof IdentityProvider>;

export const ScimToken = Type.Object({ token: Type.String(), basePath: Type.String() });

export const SignInStartQuery = Type.Object(
	{ returnTo: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })) },
	{ additionalProperties: false },
);

/** The query of the redirect; providers may add parameters. */
export const SignInCallbackQuery = Type.Object({
	code: Type.Optional(Type.String({ maxLength: 4096 })),
	state: Type.Optional(Type.String({ maxLength: 255 })),
	iss: Type.Optional(Type.String({ maxLength: 2048 })),
	error: Type.Optional(Type.String({ maxLength: 1024 })),
	error_description: Type.Optional(Type.String({ maxLength: 4096 })),
});

export const SignInProvidersQuery = Type.Object(
	{ email: Type.String({ maxLength: 320, pattern: "^[^\\s@]+@[^\\s@]+$", description: "an e-mail address" }) },
	{ additionalProperties: false },
);

export const SignInProvider = Type.Object({
	id: Type.String(),
	name: Type.String(),
	startPath: Type.String(),
	isRequired: Type.Boolean(),
});
