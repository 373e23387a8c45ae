import { expect } from "bun:test";
import { join } from "node:path";
import { createUser, startSession } from "../../../src/areas/access/operations";
import { systemActor } from "../../../src/areas/access/rules.actors";
import type { Answer, World } from "../../support/world";
import type { Forger } from "./forger";

export const clientSecret = "a-secret-of-the-tests-only-0123456789";

const freePort = (): number => {
	const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
	const { port = 0 } = server;
	server.stop(true);
	return port;
};

/** `oidc-provider` in a process of its own. */
export async function startProvider() {
	const port = freePort();
	const child = Bun.spawn([process.execPath, join(import.meta.dir, "provider-process.mjs"), String(port)], {
		stdout: "pipe",
		stderr: "pipe",
	});
	const reader = child.stdout.getReader();
	let said = "";
	while (!said.includes("ready")) {
		const { done, value } = await reader.read();
		if (done) throw new Error(`The provider did not start: ${await new Response(child.stderr).text()}`);
		said += new TextDecoder().decode(value);
	}
	reader.releaseLock();
	return {
		issuer: `http://127.0.0.1:${port}`,
		stop: async () => {
			child.kill();
			await child.exited;
		},
	};
}

/** A user with a password, as a bearer. */
export function bearerOf(
	w: World,
	role: string,
	email = `${role.toLowerCase()}@example.test`,
	{ accountId, environmentId } = w.actor,
): Record<string, string> {
	const { token } = w.transactions.write(systemActor(""), (work) =>
		startSession(work, createUser(work, { email, name: null, passwordHash: "none", accountId, role })),
	);
	return { authorization: `Bearer ${token}`, "x-environment-id": environmentId };
}

export async function addProvider(
	w: World,
	issuer: string,
	more: Record<string, unknown> = {},
	headers = bearerOf(w, "OWNER", `owner-${crypto.randomUUID()}@own.test`),
): Promise<string> {
	const body = {
		name: "Example ID",
		issuer,
		clientId: "tollgate",
		clientSecret,
		domains: ["example.test"],
		roleMapping: { groups: [{ value: "billing-admins", role: "ADMIN" }], default: "SUPPORT" },
		...more,
	};
	const answer = await w.call("POST", "/identity-providers", { key: "", headers, body });
	if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
	return answer.body.data.id;
}

/** The cookies of one browser, by host. */
export class Browser {
	readonly #cookies = new Map<string, string>();

	get cookies(): string {
		return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
	}

	keep(headers: Headers): void {
		for (const cookie of headers.getSetCookie()) {
			const [pair = ""] = cookie.split(";");
			const at = pair.indexOf("=");
			if (pair.slice(at + 1) === "") this.#cookies.delete(pair.slice(0, at));
			else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
		}
	}
}

/** Begins a sign-in: the provider's address, with the cookie kept. */
export async function begin(w: World, id: string, browser: Browser, query = ""): Promise<URL> {
	const answer = await w.call("GET", `/auth/oidc/${id}/start${query}`, { key: "" });
	if (answer.status !== 302) throw new Error(JSON.stringify(answer.body));
	browser.keep(answer.headers);
	return new URL(answer.headers.get("location") ?? "");
}

/** Signs in at the real provider as a browser does, by its forms; answers the path and query of the callback. */
export async function approve(at: URL, login: string): Promise<string> {
	const browser = new Browser();
	let url = at;
	let form: URLSearchParams | undefined;
	for (let step = 0; step < 20; step += 1) {
		const response = await fetch(url, {
			method: form ? "POST" : "GET",
			redirect: "manual",
			headers: { cookie: browser.cookies },
			...(form && { body: form }),
		});
		browser.keep(response.headers);
		form = undefined;
		const location = response.headers.get("location");
		if (location) {
			url = new URL(location, url);
			if (url.pathname.endsWith("/callback")) return `${url.pathname}${url.search}`;
			continue;
		}
		const page = await response.text();
		const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
		const action = /action="([^"]+)"/.exec(page)?.[1];
		if (!prompt || !action) throw new Error(`No form at ${url}: ${response.status} ${page.slice(0, 500)}`);
		url = new URL(action, url);
		form = new URLSearchParams({ prompt, ...(prompt === "login" && { login, password: "any" }) });
	}
	throw new Error("The provider never ends.");
}

export const finish = (w: World, callback: string, browser: Browser): Promise<Answer> =>
	w.call("GET", callback, { key: "", headers: { cookie: browser.cookies } });

export async function signIn(w: World, id: string, login: string): Promise<Answer> {
	const browser = new Browser();
	return finish(w, await approve(await begin(w, id, browser), login), browser);
}

/** A sign-in at the forger, which says what `will` says. */
export async function forge(
	{ will }: Pick<Forger, "will">,
	w: World,
	id: string,
	change: (at: URL) => string = () => "",
): Promise<Answer> {
	const browser = new Browser();
	const at = await begin(w, id, browser);
	will.nonce ??= at.searchParams.get("nonce") ?? "";
	const state = at.searchParams.get("state");
	return finish(w, `/auth/oidc/${id}/callback?code=c&state=${state}${change(at)}`, browser);
}

export const refused = (answer: Answer, status: number, code: string | null, says: string): void =>
	expect({ status: answer.status, code: answer.body?.code, message: answer.body?.message }).toEqual({
		status,
		code,
		message: expect.stringContaining(says),
	});
