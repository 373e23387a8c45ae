import type { ApiSettings } from "../api-settings";
import type { Peers, Senders } from "../client-address";
import { requestIdOf } from "../requests";
import { securityHeaders } from "../responses/headers";

/** The path at which a browser signs in, reads its session, and signs out. */
const sessionPath = "/console/session";

const plainName = "tollgate";
/** Browsers accept a cookie of this name only by HTTPS and only for this host. */
const secureName = `__Host-${plainName}`;

type Answer = (request: Request) => Promise<Response | undefined> | Response | undefined;

export interface ConsoleSessionOptions {
	readonly senders: Senders;
	readonly api: Pick<ApiSettings, "publicUrl">;
}

/**
 * Browser sessions: the token of `POST /api/v1/auth/login` in a cookie that scripts cannot read. It applies only to
 * requests of our own pages that have no authentication header.
 */
export class ConsoleSessions {
	readonly #options: ConsoleSessionOptions;

	constructor(options: ConsoleSessionOptions) {
		this.#options = options;
	}

	/**
	 * Returns undefined for requests outside the session path; the request then carries the session's token, if its
	 * cookie has one.
	 */
	answer(request: Request, peers: Peers | null, answer: Answer): Promise<Response> | undefined {
		const { headers } = request;
		if (isSessionPath(request.url)) return this.#session(request, peers, answer);
		if (!headers.has("cookie") || headers.has("authorization") || headers.has("x-api-key")) return undefined;
		const token = this.#tokenOf(request, peers);
		if (token !== undefined && isOwnPage(request)) headers.set("authorization", `Bearer ${token}`);
		return undefined;
	}

	/** Returns the cookie of a session that began elsewhere, at an identity provider. */
	cookieOf(request: Request, peers: Peers | null, { token, expiresAt }: Session): string {
		const expires = new Date(expiresAt).toUTCString();
		return this.#cookie(request, peers, `${token}`, `; Expires=${expires}`);
	}

	async #session(request: Request, peers: Peers | null, answer: Answer): Promise<Response> {
		if (!isOwnPage(request)) return refusal(request, 403, "Sign in on a page of this server.");
		switch (request.method) {
			case "GET":
				return this.#who(request, peers, answer);
			case "POST":
				return this.#signIn(request, peers, answer);
			case "DELETE":
				return this.#signOut(request, peers, answer);
			default:
				return refusal(request, 405, "Use GET, POST or DELETE here.", { allow: "GET, POST, DELETE" });
		}
	}

	/** Answers 200 without a session too, because a page that asks has made no mistake. */
	async #who(request: Request, peers: Peers | null, answer: Answer): Promise<Response> {
		const token = this.#tokenOf(request, peers);
		const found = token === undefined ? undefined : await this.#call(request, peers, answer, "GET", "/me", token);
		if (found && found.status !== 401) return found;
		return Response.json({ data: null }, { headers: securityHeaders });
	}

	async #signIn(request: Request, peers: Peers | null, answer: Answer): Promise<Response> {
		const given = await this.#call(request, peers, answer, "POST", "/auth/login");
		const body: { data?: Partial<Session> } = await given.json();
		const { token, expiresAt } = body.data ?? {};
		// An error, or a request for a code.
		if (token === undefined || expiresAt === undefined)
			return Response.json(body, { status: given.status, headers: headersOf(given) });
		const headers = headersOf(given);
		headers.set("set-cookie", this.cookieOf(request, peers, { token, expiresAt }));
		return Response.json({ data: { expiresAt } }, { headers });
	}

	async #signOut(request: Request, peers: Peers | null, answer: Answer): Promise<Response> {
		const token = this.#tokenOf(request, peers);
		if (token !== undefined) await this.#call(request, peers, answer, "POST", "/auth/logout", token);
		const headers = new Headers(securityHeaders);
		headers.set("set-cookie", this.#cookie(request, peers, "", "; Max-Age=0"));
		headers.set("clear-site-data", '"cache", "storage"');
		return Response.json({ data: {} }, { headers });
	}

	/** Calls the API's route on behalf of the same sender. */
	async #call(request: Request, peers: Peers | null, answer: Answer, method: string, path: string, token?: string) {
		const headers = new Headers({ "x-request-id": requestIdOf(request) });
		if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
		const isSent = method === request.method && request.body !== null;
		for (const name of isSent ? ["content-type", "content-length", "user-agent"] : ["user-agent"]) {
			const value = request.headers.get(name);
			if (value !== null) headers.set(name, value);
		}
		const inner = new Request(new URL(`/api/v1${path}`, request.url), {
			method,
			headers,
			body: isSent ? request.body : null,
		});
		this.#options.senders.remember(inner, this.#options.senders.of(request, peers));
		return (await answer(inner)) ?? new Response(null, { status: 500 });
	}

	#isSecure(request: Request, peers: Peers | null): boolean {
		const { api, senders } = this.#options;
		return api.publicUrl?.startsWith("https:") ?? senders.of(request, peers).isSecure;
	}

	#tokenOf(request: Request, peers: Peers | null): string | undefined {
		const name = this.#isSecure(request, peers) ? secureName : plainName;
		const cookies = request.headers.get("cookie")?.split(";") ?? [];
		const cookie = cookies.map((one) => one.trim()).find((one) => one.startsWith(`${name}=`));
		return cookie?.slice(name.length + 1) || undefined;
	}

	#cookie(request: Request, peers: Peers | null, value: string, ends: string): string {
		const isSecure = this.#isSecure(request, peers);
		const name = isSecure ? secureName : plainName;
		return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}${ends}`;
	}
}

interface Session {
	readonly token: string;
	/** ISO 8601. */
	readonly expiresAt: string;
}

function isSessionPath(url: string): boolean {
	const at = url.indexOf(sessionPath);
	return at !== -1 && URL.parse(url)?.pathname === sessionPath;
}

/** Whether a request comes from our own page. Browsers send no Sec-Fetch-Site over plain HTTP except to loopback addresses. */
function isOwnPage({ headers, method }: Request): boolean {
	const site = headers.get("sec-fetch-site");
	if (site !== null) return site === "same-origin";
	const origin = headers.get("origin");
	if (origin !== null) return URL.parse(origin)?.host === headers.get("host");
	// Such browsers send an Origin with each request that changes data, and SameSite keeps the cookie from other sites.
	return method === "GET";
}

function headersOf({ headers }: Response): Headers {
	const kept = new Headers(securityHeaders);
	for (const name of ["x-request-id", "retry-after"]) {
		const value = headers.get(name);
		if (value !== null) kept.set(name, value);
	}
	return kept;
}

const refusal = (request: Request, status: number, message: string, headers: Record<string, string> = {}): Response =>
	Response.json(
		{ message, code: null },
		{ status, headers: { ...securityHeaders, "x-request-id": requestIdOf(request), ...headers } },
	);
