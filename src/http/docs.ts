import { swagger } from "@elysiajs/swagger";
import { type AnyElysia, Elysia } from "elysia";
import styles from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundle from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { interfaceVersion } from "../version";

/** Source: choices.md, "Documents": both without a key, all assets served by the executable. */
export const specPath = "/openapi.json";
const docsPath = "/docs";

const page = `<!doctype html>
<html lang="en">
<head>
	<meta charset="utf-8">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<title>Tollgate API</title>
	<link rel="stylesheet" href="${docsPath}/swagger-ui.css">
</head>
<body>
	<div id="api"></div>
	<script src="${docsPath}/swagger-ui.js"></script>
	<script>SwaggerUIBundle({ url: "${specPath}", dom_id: "#api", deepLinking: true, persistAuthorization: true });</script>
</body>
</html>
`;

const pagePolicy = "default-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

const asset = (path: string, type: string) => new Response(Bun.file(path), { headers: { "content-type": type } });

/** The OpenAPI document, from the routes' own schemas, and a page that shows it. */
export const docs = (): AnyElysia =>
	new Elysia({ name: "docs" })
		.use(
			swagger({
				path: "/docs/unstyled",
				specPath,
				provider: "swagger-ui",
				excludeStaticFile: true,
				exclude: [/^\/docs/, specPath, "/graphql"],
				documentation: {
					openapi: "3.1.0",
					info: {
						title: "Tollgate",
						version: interfaceVersion,
						description: "Subscription billing, entitlements and usage metering.",
					},
					components: {
						securitySchemes: {
							apiKey: { type: "apiKey", in: "header", name: "X-API-KEY" },
							userToken: { type: "http", scheme: "bearer" },
						},
					},
					security: [{ apiKey: [] }, { userToken: [] }],
				},
			}),
		)
		// The plugin's own page loads from a CDN; ours takes its place, and an offline machine shows it too.
		.get("/docs/unstyled", ({ redirect }) => redirect(docsPath))
		.get(
			docsPath,
			() =>
				new Response(page, {
					headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": pagePolicy },
				}),
		)
		.get(`${docsPath}/swagger-ui.js`, () => asset(bundle, "text/javascript; charset=utf-8"))
		.get(`${docsPath}/swagger-ui.css`, () => asset(styles, "text/css; charset=utf-8"));
