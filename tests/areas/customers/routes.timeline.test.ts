import { beforeAll, describe, expect, test } from "bun:test";
import { type World, world } from "../../support/world";
import { guard, isRefusal } from "../packages/guards";

guard([{ method: "GET", path: "/customers/nobody/timeline", scope: "CUSTOMER:READ" }], async () => {});

describe("GET /customers/:id/timeline", () => {
	let ours: World;
	const timeline = async (query = "") => (await ours.call("GET", `/customers/acme/timeline${query}`)).body;
	const names = (body: { data: { payload: { name: string } }[] }) => body.data.map(({ payload }) => payload.name);
	beforeAll(async () => {
		ours = world();
		await ours.call("POST", "/customers", { body: { id: "acme", name: "n0" } });
		await ours.call("POST", "/customers", { body: { id: "other", name: "Other" } });
		await ours.call("POST", "/customers", { key: ours.foreignKey, body: { id: "acme", name: "Alien" } });
		for (const name of ["n1", "n2", "n3", "n4"]) await ours.call("PATCH", "/customers/acme", { body: { name } });
	});

	test("has what concerns the customer alone, the newest first", async () => {
		const body = await timeline();
		expect(names(body)).toEqual(["n4", "n3", "n2", "n1", "n0"]);
		expect(body.data.at(-1)).toMatchObject({ type: "customer.created", actor: { type: "APP_SERVER" } });
		expect(body.pagination).toEqual({ next: null, prev: null });
	});

	test("its pages lead on and back", async () => {
		const first = await timeline("?limit=2");
		expect(names(first)).toEqual(["n4", "n3"]);
		expect(first.pagination.prev).toBeNull();
		const second = await timeline(`?limit=2&after=${first.pagination.next}`);
		expect(names(second)).toEqual(["n2", "n1"]);
		const last = await timeline(`?limit=2&after=${second.pagination.next}`);
		expect([names(last), last.pagination.next]).toEqual([["n0"], null]);
		const back = await timeline(`?limit=2&before=${last.pagination.prev}`);
		expect(names(back)).toEqual(["n2", "n1"]);
		expect(back.pagination.prev).not.toBeNull();
		expect((await timeline(`?limit=2&before=${back.pagination.prev}`)).pagination.prev).toBeNull();
	});

	test("refuses what it does not know", async () => {
		isRefusal(await ours.call("GET", "/customers/nobody/timeline"), 404, "CustomerNotFound");
		isRefusal(await ours.call("GET", "/customers/acme/timeline?after=x"), 400, "BadUserInput", "after");
		isRefusal(await ours.call("GET", "/customers/acme/timeline?limit=101"), 400, "BadUserInput", "limit");
		isRefusal(await ours.call("GET", "/customers/acme/timeline?after=1&before=2"), 400, "BadUserInput");
		const key = ours.scopedKey("CUSTOMER:READ");
		isRefusal(await ours.call("GET", "/customers/acme/timeline", { key }), 403, "AccessDeniedError", "WEBHOOK:READ");
	});
});
