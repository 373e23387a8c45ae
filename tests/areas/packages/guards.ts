import { beforeAll, describe, expect, test } from "bun:test";
import type { Scope } from "../../../src/areas/access/rules.actors";
import { type Answer, type World, world } from "../../support/world";

/** One route of the catalogue: what every one of them refuses in the same way, before its own rules are asked. */
export interface GuardedRoute {
	readonly method: "GET" | "POST" | "PATCH" | "DELETE";
	readonly path: string;
	readonly scope: Scope;
	/** A publishable key may call it. */
	readonly publishable?: true;
	/** A body that is accepted as far as the schema goes. */
	readonly body?: Readonly<Record<string, unknown>>;
	/** The code for an id that is not there, or that is only in another environment. */
	readonly missing?: string;
	/** The path with an id that does not exist anywhere. */
	readonly missingPath?: string;
}

export function isRefusal(answer: Answer, status: number, code: string | null, message = ""): void {
	expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(message) } });
	expect(Object.keys(answer.body).sort()).toEqual(["code", "message"]);
}

/** Publishable keys read packages that are on sale. */
async function sell(ours: World, path: string): Promise<void> {
	const sold = /^\/(plans|addons)\/[^/]+/.exec(path)?.[0];
	if (sold === undefined) return;
	await ours.call("PATCH", sold, { body: { charges: { pricingType: "FREE" } } });
	expect((await ours.call("POST", `${sold}/publish`, { body: { migrationType: "NEW_CUSTOMERS" } })).status).toBe(200);
}

/** Checks permissions and malformed calls for each of the routes; `prepare` creates the objects that their paths name. */
export function guard(routes: readonly GuardedRoute[], prepare: (ours: World) => Promise<void>): void {
	describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))("%s", (_, route) => {
		let ours: World;
		beforeAll(async () => {
			ours = world();
			await prepare(ours);
		});
		const send = (options: Parameters<World["call"]>[2] = {}) =>
			ours.call(route.method, route.path, { ...(route.body && { body: route.body }), ...options });

		test("asks who calls before it reads what was sent", async () => {
			const body = route.method === "GET" ? {} : { body: "{" };
			isRefusal(await send({ key: "", ...body }), 401, "Unauthenticated");
			isRefusal(await send({ key: "server-no-such-key", ...body }), 401, "Unauthenticated");
			isRefusal(await send({ key: ours.expiredKey(), ...body }), 401, "Unauthenticated");
		});

		test("asks for its scope", async () => {
			isRefusal(await send({ key: ours.scopedKey("WEBHOOK:WRITE") }), 403, "AccessDeniedError", route.scope);
			if (route.scope.endsWith(":WRITE")) {
				const reads = ours.scopedKey(route.scope.replace(":WRITE", ":READ") as Scope);
				isRefusal(await send({ key: reads }), 403, "AccessDeniedError", route.scope);
			}
		});

		test(route.publishable ? "lets a publishable key read" : "is closed to publishable keys", async () => {
			if (!route.publishable) return isRefusal(await send({ key: ours.publishableKey }), 403, "IdentityForbidden");
			await sell(ours, route.path);
			expect((await send({ key: ours.publishableKey })).status).toBe(200);
		});

		if (route.body) {
			test("wants a JSON object with the keys it knows", async () => {
				isRefusal(await send({ body: "{" }), 400, "BadUserInput", "JSON");
				isRefusal(await send({ headers: { "content-type": "text/plain" } }), 400, "BadUserInput", "application/json");
				isRefusal(await send({ body: { ...route.body, surprise: 1 } }), 400, "BadUserInput", "surprise");
				isRefusal(await send({ body: [] }), 400, "BadUserInput", "body");
			});
		} else if (route.method === "GET") {
			test("wants no query that it does not know", async () => {
				const answer = await ours.call("GET", `${route.path}${route.path.includes("?") ? "&" : "?"}limi=1`);
				isRefusal(answer, 400, "BadUserInput", "limi");
			});
		}

		if (route.missing !== undefined) {
			const { missing, missingPath = route.path } = route;
			test("does not find what is unknown, nor what is only elsewhere", async () => {
				const body = route.body && { body: route.body };
				isRefusal(await ours.call(route.method, missingPath, { ...body }), 404, missing);
				const foreign = await ours.call(route.method, route.path, { ...body, key: ours.foreignKey });
				expect(foreign.status).toBe(404);
			});
			test("wants an id of the pattern and length of the interface", async () => {
				for (const id of ["-x", "a%20b", "a@b", "x".repeat(256)]) {
					const path = route.path.replace(/^(\/[^/]+)\/[^/]+/, `$1/${id}`);
					isRefusal(
						await ours.call(route.method, path, { ...(route.body && { body: route.body }) }),
						400,
						"BadUserInput",
					);
				}
			});
		}
	});
}
