/**
 * What a browser is told with every answer. An answer is data: it is never a page, never framed, never kept. A route that
 * shows a page says itself what the page may load (docs.ts).
 */
export const securityHeaders = {
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
	"cache-control": "no-store",
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

/** Where a trusted proxy speaks HTTPS, browsers keep to it for a year. */
export const onlyHttps = { "strict-transport-security": "max-age=31536000" } as const;
