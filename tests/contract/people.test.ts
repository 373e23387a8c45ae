import { describe, expect, test } from "bun:test";
import { TypeGuard } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { createApp } from "../../src/app";
import { addUser, login, member } from "../areas/access/people";
import { type Answer, longText, world } from "../support/world";
import { people } from "./people";
import { isError } from "./refusal";

const here = world();
const admin = await member(here, "admin", "ADMIN");
const reader = await member(here, "reader", "READ_ONLY");
const support = await member(here, "support", "SUPPORT");
addUser(here, "stranger", "OWNER", here.foreignActor.accountId);
const strangerToken = (await login(here, "stranger")).body.data.token;

const { routes } = createApp(here.services);
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const mounted = routes.map(({ method, path, hooks }) => ({ method, path: path.replace("/api/v1", ""), hooks }));

/** The objects that the paths name, created again for each request: some end them. */
let count = 0;
async function filled(path: string, caller = admin): Promise<string> {
	count += 1;
	const made = async (target: string, body: object) => (await admin("POST", target, body)).body.data.id;
	const [, name] = /\{(\w+)\}/.exec(path) ?? [];
	const id = async (): Promise<string> => {
		switch (name) {
			case "invitation":
				return made("/members/invitations", { email: `invited${count}@acme.test`, role: "SUPPORT" });
			case "role":
				return made("/roles", { name: `Role ${count}`, scopes: [{ resource: "CATALOG", action: "READ" }] });
			case "member":
				addUser(here, `member${count}`, "SUPPORT");
				return (await admin("GET", "/members?limit=1")).body.data[0].id;
			case "session":
				return (await caller("GET", "/sessions?limit=1")).body.data[0].id;
			default:
				return "";
		}
	};
	return path.replace(/\{\w+\}/, await id());
}

interface Options {
	readonly path?: string;
	readonly body?: unknown;
	readonly headers?: Record<string, string>;
	readonly key?: string;
}

describe.each(Object.entries(people))("%s", (route, template) => {
	const [method = "", pattern = ""] = route.split(" ");
	const { scope, callers, body } = template;
	const schema = mounted.find((one) => one.method === method && one.path === pattern)?.hooks.body;

	/** As somebody who may. */
	const call = async ({ path, headers = {}, key = "", ...options }: Options = {}): Promise<Answer> => {
		here.limitClock.ms += 60 * 60 * 1000;
		const sent = "body" in options ? options.body : body;
		// Somebody else each time: some routes end a session.
		const caller = await member(here, `caller${count}`, "ADMIN");
		const target = await filled(path ?? template.path, caller);
		if (key === "" && callers !== "anyone") return caller(method, target, sent, headers);
		return here.call(method, target, { key, ...(sent !== undefined && { body: sent }), headers });
	};

	if (callers !== "anyone")
		test("nobody, an unknown token or an expired one: 401 Unauthenticated, whatever was sent", async () => {
			const target = await filled(template.path);
			for (const headers of [{}, { authorization: "Bearer session-none" }, { authorization: "Bearer" }])
				for (const sent of method === "GET" ? [undefined] : [body, "{"])
					isError(
						await here.call(method, target, { key: "", headers, ...(sent !== undefined && { body: sent }) }),
						401,
						"Unauthenticated",
					);
		});

	if (scope !== undefined) {
		test("API keys: 403 IdentityForbidden, unless they are none", async () => {
			for (const key of [here.key, here.publishableKey, here.scopedKey("CATALOG:WRITE")])
				isError(await call({ key, body: method === "GET" ? undefined : "{" }), 403, "IdentityForbidden");
			isError(await call({ key: "server-no-such-key" }), 401, "Unauthenticated");
		});

		test("members without the scope: 403 AccessDeniedError", async () => {
			const target = await filled(template.path);
			for (const who of scope === "MEMBER:WRITE" ? [support, reader] : [support])
				isError(await who(method, target, method === "GET" ? undefined : "{"), 403, "AccessDeniedError", scope);
			if (scope === "MEMBER:READ") expect((await reader(method, target)).status).toBe(200);
		});

		test("another account's: nothing of ours", async () => {
			const target = await filled(template.path);
			const headers = { authorization: `Bearer ${strangerToken}` };
			const answer = await here.call(method, target, { key: "", headers, ...(body && { body }) });
			if (template.unknown) isError(answer, 404, template.unknown[1]);
			else expect(JSON.stringify(answer.body)).not.toContain("admin@example.com");
			const ours = { ...headers, "x-account-id": here.actor.accountId };
			isError(
				await here.call(method, target, { key: "", headers: ours, ...(body && { body }) }),
				403,
				"IdentityForbidden",
			);
		});
	}

	if (body) {
		test("malformed JSON, another content type, what is no object: 400", async () => {
			for (const text of ["{", "5", '"text"', "[]", "null"]) isError(await call({ body: text }), 400, "BadUserInput");
			isError(await call({ headers: { "content-type": "text/plain" } }), 400, "BadUserInput", "application/json");
		});

		test("a body over what the route takes: 413", async () => {
			isError(await call({ body: JSON.stringify(longText(64 * 1024)) }), 413, null, "bytes");
		});

		test("an unknown key, a required one left out, another type, too long a text: 400 that names it", async () => {
			isError(await call({ body: { ...body, surprise: 1 } }), 400, "BadUserInput", "surprise");
			if (!TypeGuard.IsObject(schema)) throw new Error("The route has no schema of its body.");
			for (const [key, property] of Object.entries(schema.properties)) {
				const { [key]: _, ...rest } = body;
				if (schema.required?.includes(key)) isError(await call({ body: rest }), 400, "BadUserInput", key);
				for (const wrong of [5, "", true, {}, longText(1025)])
					if (!Value.Check(property, wrong))
						isError(await call({ body: { ...body, [key]: wrong } }), 400, "BadUserInput", key);
			}
		});
	}

	test("a query key that the route does not know: 400 that names it", async () => {
		isError(await call({ path: `${template.path}?surprise=1` }), 400, "BadUserInput", "surprise");
	});

	const { unknown } = template;
	if (unknown) {
		test("missing objects: 404", async () => {
			isError(await call({ path: unknown[0] }), 404, unknown[1]);
		});

		test("an id that is longer than any: 400", async () => {
			isError(await call({ path: unknown[0].replace(/[^/]+$/, longText(256)) }), 400, "BadUserInput");
		});
	}

	test("another method: 405 with the methods that are allowed", async () => {
		const allowed = methods.filter((one) => mounted.some((other) => other.method === one && other.path === pattern));
		const answer = await here.call("PUT", await filled(template.path));
		isError(answer, 405, null);
		for (const one of allowed) expect(answer.headers.get("allow")).toContain(one);
	});

	test("the request of the table itself is taken", async () => {
		const answer = await call();
		if (template.answers) isError(answer, ...template.answers);
		else expect([200, 201]).toContain(answer.status);
	});
});
