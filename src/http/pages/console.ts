import { type AnyElysia, Elysia, NotFoundError, redirect, t } from "elysia";
import { type ConsoleAsset, consoleAssets, consolePage } from "../../console/assets";

/** The page loads and calls only its own server. Images of the server are shown from memory. */
const policy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data: blob:",
	"connect-src 'self'",
	"frame-src blob:",
	"form-action 'none'",
	"frame-ancestors 'none'",
	"base-uri 'none'",
	"require-trusted-types-for 'script'",
].join("; ");

/** Sent with every page and file. */
export const pageHeaders = {
	"content-security-policy": policy,
	"x-content-type-options": "nosniff",
	"referrer-policy": "same-origin",
	"cross-origin-opener-policy": "same-origin",
	"permissions-policy": "camera=(), geolocation=(), microphone=()",
};

const codings = ["br", "gzip"] as const;

/** Answers in an encoding that the browser accepts, or with 304. */
export function answerAsset(
	asset: ConsoleAsset,
	request: Request,
	more: Readonly<Record<string, string>> = {},
): Response {
	const headers = new Headers({
		...pageHeaders,
		...more,
		"content-type": asset.type,
		etag: asset.etag,
		vary: "accept-encoding",
		"cache-control": asset.immutable ? "public, max-age=31536000, immutable" : "no-cache",
	});
	if (request.headers.get("if-none-match") === asset.etag) return new Response(null, { status: 304, headers });
	const { identity, gzip } = asset.bodies;
	if (identity !== undefined) return new Response(fileOf(identity), { headers });
	const accepted = new Set((request.headers.get("accept-encoding") ?? "").split(",").map((one) => one.trim()));
	for (const coding of codings) {
		const body = asset.bodies[coding];
		if (body === undefined || !accepted.has(coding)) continue;
		headers.set("content-encoding", coding);
		return new Response(fileOf(body), { headers });
	}
	const plain = gzip && fileOf(gzip).stream().pipeThrough(new DecompressionStream("gzip"));
	return new Response(plain, { headers });
}

const fileOf = (body: string | Blob): Blob => (typeof body === "string" ? Bun.file(body) : body);

async function asset(name: string, request: Request): Promise<Response> {
	const found = (await consoleAssets()).get(name);
	if (!found) throw new NotFoundError();
	return answerAsset(found, request);
}

/** Serves the console: one page under all of its paths, and files with immutable names. */
export const consoleRoutes = (): AnyElysia => {
	const page = ({ request }: { request: Request }) => asset(consolePage, request);
	return new Elysia({ name: "console", detail: { hide: true } })
		.get("/", ({ request }) => {
			if (!request.headers.get("accept")?.includes("text/html")) throw new NotFoundError();
			return redirect("/console", 302);
		})
		.get("/console/assets/:name", ({ request, params }) => asset(params.name, request), {
			params: t.Object({ name: t.String() }),
		})
		.get("/console", page)
		.get("/console/*", page);
};
