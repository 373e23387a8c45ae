import { beforeEach, describe, expect, test } from "bun:test";
import type { Instant } from "../../../src/kernel/clock";
import { longText } from "../../support/world";
import { guard, isRefusal } from "../packages/guards";
import { body, grant, granted, item, list, path, prepare } from "./grants";
import { begin, features, ours } from "./routes/three-features";

guard(
	[
		{ method: "GET", path, scope: "CUSTOMER:READ" },
		{ method: "POST", path, scope: "CUSTOMER:WRITE", body: body(item("sso")) },
		{ method: "DELETE", path: `${path}/audit`, scope: "CUSTOMER:WRITE" },
	],
	async (ours) => {
		await prepare(ours);
		await granted(ours, item("audit"));
	},
);

const on = (text: string) => {
	ours.clock.at = Date.parse(text) as Instant;
};

describe("all three routes", () => {
	beforeEach(begin);
	const routes = [
		["GET", path, undefined],
		["POST", path, body(item("sso"))],
		["DELETE", `${path}/sso`, undefined],
	] as const;
	test.each(routes)("%s %s knows no customer that is nowhere, or elsewhere only", async (method, at, sent) => {
		await granted(ours, item("sso"));
		const options = sent && { body: sent };
		const nobody = at.replace("acme", "nobody");
		isRefusal(await ours.call(method, nobody, { ...options }), 404, "CustomerNotFound", "'nobody'");
		isRefusal(await ours.call(method, at, { ...options, key: ours.foreignKey }), 404, "CustomerNotFound", "'acme'");
		expect(features(await list(ours))).toEqual(["sso"]);
	});

	test.each(routes)("%s %s wants ids of the pattern and length of the interface", async (method, at, sent) => {
		for (const id of ["-x", "a%20b", longText(256)])
			isRefusal(
				await ours.call(method, at.replace("acme", id), { ...(sent && { body: sent }) }),
				400,
				"BadUserInput",
				"/id",
			);
	});

	test("a customer's id may hold an @, and another environment's grants are no one's business", async () => {
		await ours.call("POST", "/customers", { body: { id: "a@b" } });
		const of = "/customers/a@b/promotional-entitlements";
		expect((await ours.call("POST", of, { body: body(item("sso")) })).status).toBe(201);
		expect((await ours.call("DELETE", `${of}/sso`)).status).toBe(200);
		await ours.call("POST", "/customers", { body: { id: "acme" }, key: ours.foreignKey });
		await granted(ours, item("sso"));
		const foreign = await ours.call("GET", path, { key: ours.foreignKey });
		expect(foreign.body.data).toEqual([]);
		isRefusal(await ours.call("DELETE", `${path}/sso`, { key: ours.foreignKey }), 404, "FeatureNotFound");
	});
});

describe("POST …/promotional-entitlements", () => {
	beforeEach(begin);

	test("takes 1 to 200 features, each once", async () => {
		isRefusal(await grant(ours), 400, "BadUserInput", "/promotionalEntitlements");
		isRefusal(await grant(ours, item("sso"), item("audit"), item("sso")), 400, "BadUserInput", "'sso' twice");
		const many = Array.from({ length: 201 }, (_, at) => item(`f${at}`));
		isRefusal(await grant(ours, ...many), 400, "BadUserInput", "/promotionalEntitlements");
		// The whole batch passes the schema, and is looked up at once.
		isRefusal(await grant(ours, ...many.slice(1)), 404, "FeatureNotFound", "'f1'");
		expect(await list(ours)).toEqual([]);
	});

	test("refuses what is archived: the feature, the customer", async () => {
		await ours.call("POST", "/features/audit/archive");
		isRefusal(await grant(ours, item("sso"), item("audit")), 400, "EntityIsArchivedError", "'audit'");
		await ours.call("POST", "/customers/acme/archive");
		isRefusal(await grant(ours, item("sso")), 400, "EntityIsArchivedError", "'acme'");
		isRefusal(await grant(ours, item("nope")), 404, "FeatureNotFound");
		expect(await list(ours)).toEqual([]);
	});

	test("replaces an active grant: the earlier one ends, the new one begins now", async () => {
		const [first] = await granted(ours, item("calls", { usageLimit: 5, period: "1 year" }), item("sso"));
		on("2026-02-10T00:00:00.000Z");
		const [second] = await granted(ours, item("calls", { usageLimit: 3, period: "1 week" }));
		expect(second).toMatchObject({
			usageLimit: 3,
			startDate: "2026-02-10T00:00:00.000Z",
			endDate: "2026-02-17T00:00:00.000Z",
		});
		expect(second.id).not.toBe(first.id);
		expect(await list(ours)).toMatchObject([{ id: second.id }, { featureId: "sso" }]);
		on("2026-03-10T00:00:00.000Z");
		await granted(ours, item("calls", { usageLimit: 9 }));
		// A grant that is over and was granted again is not shown twice.
		expect(await list(ours, "?status=Expired")).toMatchObject([{ featureId: "sso" }]);
	});

	test("the same Idempotency-Key gives once", async () => {
		const headers = { "idempotency-key": "gift-1" };
		const [one, other] = [
			await ours.call("POST", path, { body: body(item("sso")), headers }),
			await ours.call("POST", path, { body: body(item("sso")), headers }),
		];
		expect(other.body).toEqual(one.body);
		expect(await list(ours)).toHaveLength(1);
	});

	test("64 racing grants of one feature leave one live grant", async () => {
		const answers = await Promise.all(
			Array.from({ length: 64 }, (_, at) => grant(ours, item("calls", { usageLimit: at }))),
		);
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
		const [last, ...others] = await list(ours);
		expect(others).toEqual([]);
		expect(answers.map(({ body }) => body.data[0].id)).toContain(last?.id);
		const rows = ours.db.$client.query(
			"select count(*) as all_of_them, count(revoked_at) as revoked from promotional_entitlements",
		);
		expect(rows.get()).toEqual({ all_of_them: 64, revoked: 63 });
	});

	test("the database itself keeps one live grant of a customer and feature", async () => {
		await granted(ours, item("sso"));
		const columns = ours.db.$client
			.query<{ name: string }, []>("select name from pragma_table_info('promotional_entitlements')")
			.all()
			.map(({ name }) => name)
			.join();
		const copy = (changes: string) =>
			ours.db.$client.run(
				`insert into promotional_entitlements (${columns}) select ${changes} from promotional_entitlements limit 1`,
			);
		expect(() => copy(columns.replace("id", "'another'"))).toThrow("UNIQUE");
		copy(columns.replace("id", "'another'").replace("revoked_at", "1"));
	});
});

describe("GET …/promotional-entitlements", () => {
	beforeEach(begin);

	test("shows each status at its very instant", async () => {
		await granted(ours, item("sso"), item("audit", { period: "lifetime" }));
		const statuses = async () => Object.fromEntries((await list(ours)).map((one) => [one.featureId, one.status]));
		expect(await statuses()).toEqual({ sso: "Active", audit: "Active" });
		on("2026-02-27T23:59:59.999Z");
		expect(await statuses()).toEqual({ sso: "Active", audit: "Active" });
		on("2026-02-28T00:00:00.000Z");
		expect(await statuses()).toEqual({ sso: "Expired", audit: "Active" });
		on("2036-02-28T00:00:00.000Z");
		expect(await statuses()).toEqual({ sso: "Expired", audit: "Active" });
	});

	test("pauses with the feature and with the customer, and goes on with them; what is over stays over", async () => {
		await granted(ours, item("sso"), item("audit"), item("region", { period: "1 week" }));
		on("2026-02-08T00:00:00.000Z");
		const statuses = async () => Object.fromEntries((await list(ours)).map((one) => [one.featureId, one.status]));
		for (const feature of ["audit", "region"])
			expect((await ours.call("POST", `/features/${feature}/archive`)).status).toBe(200);
		expect(await statuses()).toEqual({ sso: "Active", audit: "Paused", region: "Expired" });
		await ours.call("POST", "/features/audit/unarchive");
		expect(await statuses()).toEqual({ sso: "Active", audit: "Active", region: "Expired" });
		await ours.call("POST", "/customers/acme/archive");
		expect(await statuses()).toEqual({ sso: "Paused", audit: "Paused", region: "Expired" });
		await ours.call("POST", "/customers/acme/unarchive");
		expect(await statuses()).toEqual({ sso: "Active", audit: "Active", region: "Expired" });
	});

	test("narrows by status, several of them, and by date", async () => {
		await granted(ours, item("region", { period: "1 week" }));
		on("2026-02-10T00:00:00.000Z");
		await granted(ours, item("audit"), item("sso"));
		await ours.call("POST", "/features/audit/archive");
		const found = async (query: string) => features(await list(ours, query)).sort();
		expect(await found("?status=Active")).toEqual(["sso"]);
		expect(await found("?status=Paused")).toEqual(["audit"]);
		expect(await found("?status=Expired")).toEqual(["region"]);
		expect(await found("?status=Active,Expired")).toEqual(["region", "sso"]);
		expect(await found("?status=Paused&status=Active")).toEqual(["audit", "sso"]);
		expect(await found("?createdAt[gte]=2026-02-10T00:00:00Z")).toEqual(["audit", "sso"]);
		expect(await found("?createdAt[lt]=2026-02-10T00:00:00Z&status=Expired")).toEqual(["region"]);
		expect(await found("?createdAt[gt]=2026-02-10T00:00:00Z")).toEqual([]);
		for (const query of ["?status=ACTIVE", "?status=Active,Revoked", "?createdAt[gt]=yesterday", "?featureId=sso"])
			isRefusal(await ours.call("GET", `${path}${query}`), 400, "BadUserInput");
	});

	test("pages newest first, and goes on from a grant that was revoked meanwhile", async () => {
		for (const id of ["sso", "audit", "region"]) await granted(ours, item(id));
		const page = async (query: string) => (await ours.call("GET", `${path}?limit=1${query}`)).body;
		const first = await page("");
		expect(features(first.data)).toEqual(["region"]);
		await ours.call("DELETE", `${path}/region`);
		const second = await page(`&after=${first.pagination.next}`);
		expect(features(second.data)).toEqual(["audit"]);
		const third = await page(`&after=${second.pagination.next}`);
		expect([features(third.data), third.pagination.next]).toEqual([["sso"], null]);
		expect(features((await page(`&before=${third.pagination.prev}`)).data)).toEqual(["audit"]);
	});

	test("knows no cursor of another customer", async () => {
		const [{ id }] = await granted(ours, item("sso"));
		await ours.call("POST", "/customers", { body: { id: "other" } });
		const answer = await ours.call("GET", `/customers/other/promotional-entitlements?after=${id}`);
		isRefusal(answer, 400, "BadUserInput", id);
	});
});

describe("DELETE …/promotional-entitlements/:featureId", () => {
	beforeEach(begin);

	test("takes one back and answers it; it leaves the list, and the others stay", async () => {
		const [sso] = await granted(ours, item("sso"), item("audit"));
		expect(await ours.call("DELETE", `${path}/sso`)).toMatchObject({ status: 200, body: { data: sso } });
		expect(features(await list(ours))).toEqual(["audit"]);
		expect(features(await list(ours, "?status=Active,Expired,Paused"))).toEqual(["audit"]);
		isRefusal(await ours.call("DELETE", `${path}/sso`), 404, "PromotionalEntitlementNotFoundError", "'sso'");
		expect(await granted(ours, item("sso"))).toMatchObject([{ status: "Active" }]);
	});

	test("says which of the two is unknown: the feature, or its grant", async () => {
		isRefusal(await ours.call("DELETE", `${path}/nope`), 404, "FeatureNotFound", "'nope'");
		isRefusal(await ours.call("DELETE", `${path}/sso`), 404, "PromotionalEntitlementNotFoundError", "'acme'");
		isRefusal(await ours.call("DELETE", `${path}/-x`), 400, "BadUserInput", "/featureId");
	});

	test("revokes paused and expired grants too, and those of an archived customer", async () => {
		await granted(ours, item("sso", { period: "1 week" }), item("audit"), item("region"));
		on("2026-02-08T00:00:00.000Z");
		await ours.call("POST", "/features/audit/archive");
		const status = async (feature: string) => (await ours.call("DELETE", `${path}/${feature}`)).body.data.status;
		expect(await status("sso")).toBe("Expired");
		expect(await status("audit")).toBe("Paused");
		await ours.call("POST", "/customers/acme/archive");
		expect(await status("region")).toBe("Paused");
		expect(await list(ours)).toEqual([]);
	});
});
