import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../kernel/page";
import { DisplayName, nullable } from "../../kernel/schema";

/** Our choice: as many companies as one account has bought, and their domains. */
export const providersMax = 20;
const domainsMax = 50;
/** Our choice: as many groups as people tell apart. */
const mappedMax = 200;

/** As it stands behind the @ of an e-mail address. */
const Domain = Type.String({
	maxLength: 253,
	pattern: "^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$",
	description: "a domain such as example.com",
});

const Role = Type.String({ minLength: 1, maxLength: 255, description: "a role's name, or the id of one of your own" });

/** Which role a person gets. The first entry that fits counts; groups go before domains. */
export const RoleMapping = Type.Object(
	{
		/** The claim that names a person's groups; `groups` when left out. */
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
		/** For whom nothing fits: READ_ONLY when left out, null lets nobody in whom nothing fits. */
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
		/** Whether there is a token by which people are provisioned. */
		hasScimToken: Type.Boolean(),
		/** Paths of this server: where a sign-in begins, and what the provider must allow it to come back to. */
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

/** What providers send back; they may add more. */
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
