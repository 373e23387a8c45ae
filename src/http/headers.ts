/**
 * What a browser is told with every answer. An answer of the API is data: it is never a page, never framed, never kept.
 * The documentation is a page whose scripts and styles all come from this server.
 */
const everywhere = {
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
} as const;

const ofData = {
	...everywhere,
	"cache-control": "no-store",
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

const ofPages = {
	...everywhere,
	// Pages of documentation put styles on their elements as they go; no script runs but the ones served here.
	"content-security-policy":
		"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

export const securityHeaders = (url: string): Readonly<Record<string, string>> =>
	/^https?:\/\/[^/]+\/docs(?:[/?]|$)/.test(url) ? ofPages : ofData;

/** Where a trusted proxy speaks HTTPS, browsers keep to it for a year. */
export const onlyHttps = { "strict-transport-security": "max-age=31536000" } as const;
