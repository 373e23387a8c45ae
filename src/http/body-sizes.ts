const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** How large a body may be, in bytes. Our choices. */
export const bytesMaxOf = {
	/** An email address, a password and a code, from somebody unknown. */
	login: 4 * kibibyte,
	usual: 64 * kibibyte,
	/** With metadata, whose hundred values alone may have 400 KB, or with a list of entitlements or price overrides. */
	large: mebibyte,
	/** A thousand events or rows of an import; the tiers of all prices of a plan; all lines of a contract. */
	bulk: 8 * mebibyte,
} as const;

export type BodySize = keyof typeof bytesMaxOf;

/**
 * How many values a body may hold, its lists and objects taken together. Our choices: reading a value may take a
 * microsecond, whatever its length, and others wait meanwhile.
 */
export const valuesMaxOf: Readonly<Record<BodySize, number>> = {
	login: 100,
	usual: 20_000,
	large: 50_000,
	/** A thousand customers, each with a hundred values of metadata. */
	bulk: 150_000,
};

/** The routes whose bodies have another bound than the usual: what their schemas take in plain text fits. */
export const bodySizes: Readonly<Record<string, BodySize>> = {
	"POST /auth/login": "login",
	"POST /auth/invitations/accept": "login",
	"POST /auth/password": "login",
	"POST /auth/password/reset": "login",
	"POST /auth/password/reset-request": "login",
	"POST /auth/totp/enrol": "login",
	"POST /auth/totp/confirm": "login",
	"DELETE /auth/totp": "login",
	"POST /graphql": "large",
	"POST /products": "large",
	"PATCH /products/:id": "large",
	"POST /features": "large",
	"PATCH /features/:id": "large",
	"POST /credits/custom-currencies": "large",
	"PATCH /credits/custom-currencies/:id": "large",
	"POST /plans": "large",
	"PATCH /plans/:id": "bulk",
	"POST /plans/:id/preview": "bulk",
	"POST /plans/:id/entitlements": "large",
	"PATCH /plans/:id/entitlements/:entitlementId": "large",
	"POST /addons": "large",
	"PATCH /addons/:id": "bulk",
	"POST /addons/:id/preview": "bulk",
	"POST /addons/:id/entitlements": "large",
	"PATCH /addons/:id/entitlements/:entitlementId": "large",
	"POST /coupons": "large",
	"PATCH /coupons/:id": "large",
	"POST /customers": "large",
	"PATCH /customers/:id": "large",
	"POST /customers/import": "bulk",
	"POST /customers/:id/promotional-entitlements": "large",
	"POST /subscriptions": "large",
	"POST /subscriptions/preview": "large",
	"PATCH /subscriptions/:id": "large",
	"POST /subscriptions/import": "bulk",
	"POST /legal-entities": "large",
	"PATCH /legal-entities/:id": "large",
	"POST /scim/v2/Groups": "large",
	"PUT /scim/v2/Groups/:id": "large",
	"PATCH /scim/v2/Groups/:id": "large",
	"POST /events": "bulk",
	"POST /events/cancel": "large",
	"POST /v1/metrics": "bulk",
	"POST /usage": "bulk",
	"POST /usage/estimate": "large",
	"POST /events/estimate": "large",
	"POST /customers/:id/entitlements/:featureId/consume": "large",
	"POST /reservations/:id/commit": "large",
	"POST /credits/consumption": "large",
	"POST /credits/consumption/async": "bulk",
	"POST /contracts": "large",
	"PATCH /contracts/:id": "large",
	"POST /contracts/:id/subscriptions": "large",
	"POST /contracts/:id/billing/items": "bulk",
	"PATCH /contracts/:id/billing/items/:itemRef": "large",
};

/** Of a route as the framework names it, its prefix included. */
export const bodySizeOf = (method: string, route: string): BodySize =>
	bodySizes[`${method} ${route.replace(/^\/api\/v1/, "")}`] ?? "usual";
