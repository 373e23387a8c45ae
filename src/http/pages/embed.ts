import { type AnyElysia, Elysia, NotFoundError } from "elysia";
import { embedAssets } from "../../embed/assets";
import { answerAsset, pageHeaders } from "./console";

/** A customer's page. It is the same for everyone; its script reads the link. */
const page = `<!doctype html>
<html lang="en">
<head>
	<meta charset="utf-8">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<meta name="color-scheme" content="light dark">
	<meta name="robots" content="noindex">
	<title>Billing</title>
	<link rel="icon" href="data:,">
	<script type="module" src="/embed/page.js"></script>
</head>
<body><noscript>This page needs JavaScript.</noscript></body>
</html>
`;

const showPage = () =>
	new Response(page, {
		headers: {
			...pageHeaders,
			"content-type": "text/html;charset=utf-8",
			"cache-control": "no-cache",
			"referrer-policy": "no-referrer",
		},
	});

/** Any page may load these files; cors.ts decides what they can read. */
const forAnyPage = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };

/** Serves the widgets, and the pages of customers' links. */
export const embedRoutes = (): AnyElysia =>
	new Elysia({ name: "embed", detail: { hide: true } })
		.get("/portal", showPage)
		.get("/checkout", showPage)
		.get("/embed/:name", async ({ request, params: { name } }) => {
			const asset = (await embedAssets()).get(name);
			if (!asset) throw new NotFoundError();
			return answerAsset(asset, request, forAnyPage);
		});
