import { type AnyElysia, Elysia } from "elysia";
import swaggerStyles from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import swaggerScript from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { openApiDocument } from "../../openapi/document";
import { Asset } from "./asset";

/** Both need no key. The executable contains all files, so they work offline. */
export const specPath = "/openapi.json";
const docsPath = "/docs";

const page = `<!doctype html>
<html lang="en">
<head>
	<meta charset="utf-8">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<title>Tollgate API</title>
	<link rel="icon" href="data:,">
	<link rel="stylesheet" href="${docsPath}/swagger-ui.css">
	<link rel="stylesheet" href="${docsPath}/page.css">
</head>
<body>
	<div id="api"></div>
	<script src="${docsPath}/swagger-ui.js"></script>
	<script src="${docsPath}/page.js"></script>
</body>
</html>
`;

/** A separate file, so the page needs no inline script. An entered key stays in the page's memory. */
const script = `SwaggerUIBundle({
	url: "${specPath}",
	dom_id: "#api",
	deepLinking: true,
	docExpansion: "none",
	filter: true,
	tryItOutEnabled: true,
	persistAuthorization: false,
	displayRequestDuration: true,
	defaultModelsExpandDepth: -1,
	// Nothing is sent to anybody else, not even to be checked.
	validatorUrl: null,
});
`;

const styles = `body { margin: 0; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .info .title small.version-stamp { background-color: #44546a; }
.swagger-ui .opblock-tag { font-size: 18px; }
.swagger-ui .opblock-tag small { padding: 0 10px; }
`;

/** Only the page's own scripts and styles; no calls to other servers; no framing. */
const pagePolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

const javascript = "text/javascript; charset=utf-8";
const css = "text/css; charset=utf-8";

/** Serves the OpenAPI document and a page that shows it. */
export const docs = (routes: () => Promise<AnyElysia["routes"]>): AnyElysia => {
	const spec = new Asset("application/json; charset=utf-8", async () =>
		JSON.stringify(await openApiDocument(await routes())),
	);
	const html = new Asset("text/html; charset=utf-8", () => page);
	const files: Readonly<Record<string, Asset>> = {
		"swagger-ui.js": new Asset(javascript, () => Bun.file(swaggerScript).text()),
		"swagger-ui.css": new Asset(css, () => Bun.file(swaggerStyles).text()),
		"page.js": new Asset(javascript, () => script),
		"page.css": new Asset(css, () => styles),
	};
	const app = new Elysia({ name: "docs" })
		.get(specPath, ({ request }) => spec.answer(request))
		.get(docsPath, ({ request }) => html.answer(request, { "Content-Security-Policy": pagePolicy }));
	return Object.entries(files).reduce(
		(sofar: AnyElysia, [name, file]) => sofar.get(`${docsPath}/${name}`, ({ request }) => file.answer(request)),
		app,
	);
};
