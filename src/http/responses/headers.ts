/**
 * Security headers of every response: data that is not rendered, framed or cached. Routes with pages replace the policy
 * (docs.ts).
 */
export const securityHeaders = {
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
	"cache-control": "no-store",
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

/** HSTS for one year, behind a trusted HTTPS proxy. */
export const onlyHttps = { "strict-transport-security": "max-age=31536000" } as const;
