const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** The maximum size of a body in bytes. */
export const bytesMaxOf = {
	/** For an email address, a password and a code from an unknown caller. */
	login: 4 * kibibyte,
	usual: 64 * kibibyte,
	/** For bodies with metadata, whose hundred values can have 400 KB, or with lists of entitlements, price overrides, budgets or lines of an invoice. */
	large: mebibyte,
	/** For a thousand events or imported rows or budgets, the price tiers of a plan, or the lines of a contract. */
	bulk: 8 * mebibyte,
	/** For a signed event of a payment provider. Its text has one character for each byte, since the signature covers the bytes. */
	signed: mebibyte,
	/** For a file of a bank with 100,000 entries. Its text has one character for each byte, since it may have any encoding. */
	file: 64 * mebibyte,
} as const;

export type BodySize = keyof typeof bytesMaxOf;

/** Returns whether the text of such a body has one character for each byte. */
export const isOfBytes = (size: BodySize): boolean => size === "file" || size === "signed";

/**
 * The maximum number of values in a body, nested ones included. Parsing a value may take a microsecond, and other
 * requests wait for it.
 */
export const valuesMaxOf: Readonly<Record<BodySize, number>> = {
	login: 100,
	usual: 20_000,
	large: 50_000,
	/** Enough for a thousand customers with a hundred values of metadata each. */
	bulk: 150_000,
	/** The route parses such a body after it has checked the signature. */
	signed: 0,
	/** Such a body is no JSON. */
	file: 0,
};

/** Routes with a limit other than the default. Bodies that their schemas allow fit in plain text. */
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
	"PUT /entity-types": "large",
	"PUT /customers/:id/entities": "large",
	"PUT /customers/:id/assignments": "large",
	"POST /customers/:id/budgets/plan": "bulk",
	"POST /customers/:id/budgets/apply": "bulk",
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
	"POST /customers/:id/entitlements/:featureId/reservations": "large",
	"POST /reservations/:id/commit": "large",
	"POST /credits/consumption": "large",
	"POST /credits/consumption/async": "bulk",
	"POST /customers/:id/invoices/:invoiceRef/credit-note": "large",
	"POST /disputes/:disputeId/evidence": "large",
	"POST /bank-imports": "file",
	"POST /provider-connections/:id/events": "signed",
	"POST /contracts": "large",
	"PATCH /contracts/:id": "large",
	"POST /contracts/:id/subscriptions": "large",
	"POST /contracts/:id/billing/items": "bulk",
	"PATCH /contracts/:id/billing/items/:itemRef": "large",
};

/** `route` is the framework's path, with its prefix: the paths of the beta have the same sizes. */
export const bodySizeOf = (method: string, route: string): BodySize =>
	bodySizes[`${method} ${route.replace(/^\/api\/v1(-beta)?/, "")}`] ?? "usual";
