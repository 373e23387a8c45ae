import { describe, expect, test } from "bun:test";
import { callOfRoute, type LimitedRoute } from "../../../src/http/limits/limits";
import { type World, world } from "../../support/world";
import { ask, codes } from "../ask";

/** The limited routes that a mutation stands for, and how each is called; a customer that is not there counts too. */
const routes: ReadonlyArray<readonly [LimitedRoute, mutation: string, key: string]> = [
	["PATCH /customers/:id", "updateOneCustomer", "refId"],
	["PATCH /customers/:id", "updateCustomer", "customerId"],
	["POST /customers/:id/archive", "archiveCustomer", "customerId"],
	["POST /customers/:id/unarchive", "unarchiveCustomer", "customerId"],
	["DELETE /customers/:id/payment-method", "detachCustomerPaymentMethod", "customerId"],
];

const byGraphql = (ours: World, mutation: string, key: string, id: string) =>
	ask(ours, `mutation { ${mutation}(input: { ${key}: "${id}" }) { refId } }`);

const byRest = (ours: World, limited: LimitedRoute, id: string) => {
	const { method, route } = callOfRoute(limited);
	return ours.call(method, route.replace(":id", id), method === "PATCH" ? { body: {} } : {});
};

describe("a limited mutation counts as the route that it stands for", () => {
	test.each(routes)("%s by %s", async (limited, mutation, key) => {
		const ours = world();
		for (let at = 0; at < 15; at += 1) {
			expect(codes(await byGraphql(ours, mutation, key, "a"))).toEqual(["CustomerNotFound"]);
			expect((await byRest(ours, limited, "a")).status).toBe(404);
		}
		expect(codes(await byGraphql(ours, mutation, key, "a"))).toEqual(["RateLimitExceeded"]);
		expect((await byRest(ours, limited, "a")).status).toBe(429);
		expect(codes(await byGraphql(ours, mutation, key, "b"))).toEqual(["CustomerNotFound"]);
		for (const [other, unlike, otherKey] of routes)
			if (other !== limited) expect(codes(await byGraphql(ours, unlike, otherKey, "a"))).toEqual(["CustomerNotFound"]);
		ours.limitClock.ms += 60_000;
		expect(codes(await byGraphql(ours, mutation, key, "a"))).toEqual(["CustomerNotFound"]);
	});
});

test("the headers are those of the call with the fewest left, or of the refusal", async () => {
	const ours = world();
	const send = async (...ids: string[]) => {
		const fields = ids.map((id, at) => `m${at}: archiveCustomer(input: { customerId: "${id}" }) { refId }`);
		const { headers } = await ours.call("POST", "/graphql", { body: { query: `mutation { ${fields.join(" ")} }` } });
		return ["limit", "remaining", "reset"]
			.map((name) => headers.get(`ratelimit-${name}`))
			.concat(headers.get("retry-after"));
	};
	expect(await send("a")).toEqual(["30", "29", "60", null]);
	expect(await send("a", "b", "a", "c")).toEqual(["30", "27", "60", null]);
	for (let at = 0; at < 27; at += 1) await send("a");
	ours.limitClock.ms += 10_000;
	expect(await send("b", "a", "d")).toEqual(["30", "0", "50", "50"]);
	const { headers } = await ours.call("POST", "/graphql", { body: { query: "{ customers { totalCount } }" } });
	expect(headers.get("ratelimit-limit")).toBeNull();
});

test("a call without permission counts nothing; a refused field does not hinder the others", async () => {
	const ours = world();
	await ours.call("POST", "/customers", { body: { id: "a" } });
	const query = 'mutation { archiveCustomer(input: { customerId: "a" }) { refId } }';
	const key = ours.scopedKey("CUSTOMER:READ");
	for (let at = 0; at < 31; at += 1)
		expect(codes(await ask(ours, query, undefined, { key }))).toEqual(["AccessDeniedError"]);
	for (let at = 0; at < 30; at += 1) expect(await ask(ours, query)).not.toHaveProperty("errors");
	const body = await ask(
		ours,
		`mutation { one: archiveCustomer(input: { customerId: "a" }) { refId }
			two: unarchiveCustomer(input: { customerId: "a" }) { refId } }`,
	);
	expect([body.data, codes(body)]).toEqual([{ one: null, two: { refId: "a" } }, ["RateLimitExceeded"]]);
	expect(body.errors[0].path).toEqual(["one"]);
});

test("an answer repeated by its Idempotency-Key counts once", async () => {
	const ours = world();
	await ours.call("POST", "/customers", { body: { id: "a" } });
	const query = 'mutation { archiveCustomer(input: { customerId: "a" }) { refId } }';
	for (let at = 0; at < 40; at += 1)
		expect(await ask(ours, query, undefined, { headers: { "idempotency-key": "once" } })).not.toHaveProperty("errors");
	for (let at = 0; at < 29; at += 1) expect(await ask(ours, query)).not.toHaveProperty("errors");
	expect(codes(await ask(ours, query))).toEqual(["RateLimitExceeded"]);
});
