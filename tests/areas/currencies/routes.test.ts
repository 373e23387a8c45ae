import { describe, expect, test } from "bun:test";
import { activeCurrenciesMax, createCurrency, getCurrency } from "../../../src/areas/currencies/operations";
import { longText, world } from "../../support/world";
import { maker } from "../packages/catalogue";
import { guard, isRefusal } from "../packages/guards";

const path = "/credits/custom-currencies";

guard(
	[
		{ method: "GET", path, scope: "CATALOG:READ" },
		{ method: "POST", path, scope: "CATALOG:WRITE", body: { id: "gold", displayName: "Gold" } },
	],
	async () => {},
);

describe("POST /credits/custom-currencies", () => {
	test("creates a currency with every key of the contract; an empty text is null", async () => {
		const body = { id: "gold", displayName: "Gold", description: "", units: { singular: "coin", plural: "coins" } };
		const answer = await world().call("POST", path, { body });
		expect(answer.status).toBe(201);
		expect(answer.body).toEqual({
			data: {
				id: "gold",
				displayName: "Gold",
				description: null,
				symbol: null,
				units: { singular: "coin", plural: "coins" },
				metadata: {},
				archivedAt: null,
				createdAt: "2026-01-31T00:00:00.000Z",
				updatedAt: "2026-01-31T00:00:00.000Z",
			},
		});
	});

	test.each([
		["no name", { displayName: undefined }, "displayName"],
		["an id with a space", { id: "a b" }, "/id"],
		["one unit label alone", { units: { singular: "coin" } }, "/units"],
		["a long symbol", { symbol: longText(65) }, "/symbol"],
		["a description of null", { description: null }, "/description"],
		["a number in the metadata", { metadata: { a: 1 } }, "/metadata"],
	])("refuses %s", async (_, change, message) => {
		const body = { id: "gold", displayName: "Gold", ...change };
		isRefusal(await world().call("POST", path, { body }), 400, "BadUserInput", message);
	});

	test("refuses a second active currency of the same id; other environments can use it", async () => {
		const ours = world();
		await maker(ours).currency("gold");
		const body = { id: "gold", displayName: "Gold" };
		isRefusal(await ours.call("POST", path, { body }), 409, "DuplicatedEntityNotAllowed", "'gold'");
		expect((await ours.call("POST", path, { body, key: ours.foreignKey })).status).toBe(201);
	});

	test("an environment has at most a hundred active currencies", async () => {
		const ours = world();
		ours.transactions.write(ours.actor, (work) => {
			for (let at = 0; at < activeCurrenciesMax; at += 1) createCurrency(work, { id: `c${at}`, displayName: "C" });
		});
		const body = { id: "one-more", displayName: "C" };
		isRefusal(await ours.call("POST", path, { body }), 400, "TooManyCustomCurrencies", "100");
		expect((await ours.call("POST", path, { body, key: ours.foreignKey })).status).toBe(201);
	});
});

describe("GET /credits/custom-currencies", () => {
	test("pages active currencies of the environment, the newest first", async () => {
		const ours = world();
		for (const id of ["a", "b", "c"]) await maker(ours).currency(id);
		const ids = async (query: string) =>
			(await ours.call("GET", `${path}?${query}`)).body.data.map(({ id }: { id: string }) => id);
		expect(await ids("")).toEqual(["c", "b", "a"]);
		expect(await ids("status=ACTIVE,ARCHIVED&limit=2")).toEqual(["c", "b"]);
		expect(await ids("status=ARCHIVED")).toEqual([]);
		expect((await ours.call("GET", path, { key: ours.foreignKey })).body.data).toEqual([]);
		isRefusal(await ours.call("GET", `${path}?status=GONE`), 400, "BadUserInput", "status");
	});
});

test("a currency is found in its own environment only", () => {
	const ours = world();
	ours.transactions.write(ours.actor, (work) => createCurrency(work, { id: "gold", displayName: "Gold" }));
	expect(ours.transactions.read(ours.actor, (work) => getCurrency(work, "gold").displayName)).toBe("Gold");
	expect(() => ours.transactions.read(ours.foreignActor, (work) => getCurrency(work, "gold").displayName)).toThrow(
		"'gold'",
	);
});
