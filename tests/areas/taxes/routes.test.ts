import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type World, world } from "../../support/world";
import { guard, isRefusal } from "../packages/guards";
import { flat } from "../subscriptions/billing";
import { shop } from "./shop";

setDefaultTimeout(60_000);

const vat = { id: "vat", displayName: "VAT", percentage: 19, isInclusive: true, country: "DE", code: "DE19" };

guard(
	[
		{ method: "GET", path: "/taxes", scope: "CATALOG:READ" },
		{ method: "POST", path: "/taxes", scope: "CATALOG:WRITE", body: vat },
		{ method: "GET", path: "/taxes/kept", scope: "CATALOG:READ" },
		{ method: "PATCH", path: "/taxes/kept", scope: "CATALOG:WRITE", body: { displayName: "Other" } },
		{ method: "POST", path: "/taxes/kept/archive", scope: "CATALOG:WRITE" },
	],
	async ({ call }) => {
		await call("POST", "/taxes", { body: { ...vat, id: "kept" } });
	},
);

const create = ({ call }: World, body: unknown) => call("POST", "/taxes", { body });

describe("POST /taxes", () => {
	test("creates a tax with every key", async () => {
		expect(await create(world(), vat)).toMatchObject({
			status: 201,
			body: {
				data: {
					...vat,
					status: "ACTIVE",
					createdAt: "2026-01-31T00:00:00.000Z",
					updatedAt: "2026-01-31T00:00:00.000Z",
				},
			},
		});
	});

	test("is exclusive, without country and code, unless stated", async () => {
		const { body } = await create(world(), { id: "city", displayName: "City", percentage: 8.875 });
		expect(body.data).toMatchObject({ percentage: 8.875, isInclusive: false, country: null, code: null });
	});

	test.each([
		["0 percent", { percentage: 0 }, "/percentage"],
		["101 percent", { percentage: 101 }, "/percentage"],
		["six decimals", { percentage: 1.000001 }, "'percentage' has more than 5 decimals"],
		["an unknown key", { rate: 19 }, "/rate"],
		["no name", { displayName: "" }, "/displayName"],
		["a country that is none", { country: "Germany" }, "/country"],
		["an id with a space", { id: "a b" }, "/id"],
	])("refuses %s", async (_, terms, place) => {
		isRefusal(await create(world(), { ...vat, ...terms }), 400, "BadUserInput", place);
	});

	test("refuses an id in use, also of an archived tax", async () => {
		const ours = world();
		await create(ours, vat);
		isRefusal(await create(ours, vat), 409, "DuplicatedEntityNotAllowed", "'vat'");
		await ours.call("POST", "/taxes/vat/archive");
		isRefusal(await create(ours, vat), 409, "DuplicatedEntityNotAllowed", "'vat'");
	});
});

describe("a tax", () => {
	test("stays within its environment", async () => {
		const ours = world();
		await create(ours, vat);
		const key = ours.foreignKey;
		isRefusal(await ours.call("GET", "/taxes/vat", { key }), 404, null, "'vat'");
		expect((await ours.call("GET", "/taxes", { key })).body.data).toEqual([]);
		isRefusal(
			await ours.call("POST", "/customers", { key, body: { id: "theirs", taxes: ["vat"] } }),
			400,
			"InvalidArgumentError",
			"'taxes[0]'",
		);
	});

	test("can be renamed, and nothing else of it can change", async () => {
		const ours = world();
		await create(ours, vat);
		const change = (body: object) => ours.call("PATCH", "/taxes/vat", { body });
		expect((await change({ displayName: "USt.", percentage: 19, code: "DE19" })).body.data).toMatchObject({
			displayName: "USt.",
			percentage: 19,
		});
		for (const [key, value] of Object.entries({ percentage: 7, isInclusive: false, country: "AT", code: null }))
			isRefusal(await change({ [key]: value }), 400, "InvalidArgumentError", `'${key}' of tax 'vat' cannot change`);
	});

	test("is listed by status and id", async () => {
		const ours = world();
		for (const id of ["one", "two"]) await create(ours, { ...vat, id });
		await ours.call("POST", "/taxes/one/archive");
		const ids = async (query: string) =>
			(await ours.call("GET", `/taxes?${query}`)).body.data.map(({ id }: { id: string }) => id);
		expect(await ids("status=ACTIVE")).toEqual(["two"]);
		expect(await ids("status=ARCHIVED")).toEqual(["one"]);
		expect(await ids("id=two")).toEqual(["two"]);
		expect((await ours.call("POST", "/taxes/one/archive")).body.data).toMatchObject({ status: "ARCHIVED" });
	});

	test("is the same by GraphQL", async () => {
		const ours = world();
		const query = `mutation ($input: CreateTaxInput!) { createOneTax(input: $input) { refId percentage isInclusive status } }`;
		const input = { refId: "vat", displayName: "VAT", percentage: 19, isInclusive: true };
		const { body } = await ours.call("POST", "/graphql", { body: { query, variables: { input } } });
		expect(body.data.createOneTax).toEqual({ refId: "vat", percentage: 19, isInclusive: true, status: "ACTIVE" });
		const list = `{ taxes(filter: { status: { eq: ACTIVE } }) { edges { node { refId displayName } } } tax(refId: "vat") { code } }`;
		const shown = await ours.call("POST", "/graphql", { body: { query: list } });
		expect(shown.body.data).toEqual({
			taxes: { edges: [{ node: { refId: "vat", displayName: "VAT" } }] },
			tax: { code: null },
		});
	});
});

describe("assigning taxes", () => {
	/** Sends a body with taxes to each place that takes them. */
	async function places() {
		const ours = await shop();
		await ours.tax("vat", "19");
		await ours.tax("old", "7");
		await ours.insist("POST", "/taxes/old/archive");
		await ours.plan("pro", [flat({ month: 10 })]);
		const sale = { customerId: "acme", planId: "pro" };
		const send = (taxes: unknown) => ({
			environment: () => ours.call("PATCH", "/environments/current", { body: { taxes } }),
			customer: () => ours.call("PATCH", "/customers/acme", { body: { taxes } }),
			subscription: () => ours.call("POST", "/subscriptions", { body: { ...sale, taxes } }),
			preview: () => ours.call("POST", "/subscriptions/preview", { body: { ...sale, taxes } }),
			rates: () =>
				ours.call("POST", "/subscriptions", { body: { ...sale, billingInformation: { taxRateIds: taxes } } }),
		});
		return { ...ours, send };
	}

	test.each([
		["an unknown tax", ["vat", "none"], "InvalidArgumentError", "[1]': there is no tax 'none'"],
		["an archived tax", ["old"], "EntityIsArchivedError", "[0]': the tax 'old' is archived; choose an active one"],
		["a tax twice", ["vat", "vat"], "InvalidArgumentError", "[1]' names the tax 'vat' twice"],
	])("refuses %s at every place, and names the place", async (_, taxes, code, message) => {
		const ours = await places();
		for (const [place, send] of Object.entries(ours.send(taxes)))
			isRefusal(
				await send(),
				400,
				code,
				place === "rates" ? `'billingInformation.taxRateIds${message}` : `'taxes${message}`,
			);
		expect((await ours.call("GET", "/subscriptions?customerId=acme")).body.data).toEqual([]);
	});

	test("refuses taxes together with a percentage, and two ways to name them", async () => {
		const ours = await places();
		const sell = (body: object) =>
			ours.call("POST", "/subscriptions", { body: { customerId: "acme", planId: "pro", ...body } });
		const percentage = { billingInformation: { taxPercentage: 19 } };
		isRefusal(await sell({ taxes: ["vat"], ...percentage }), 400, "BadUserInput", "taxPercentage");
		isRefusal(await sell({ taxes: [], ...percentage }), 400, "BadUserInput", "taxPercentage");
		isRefusal(
			await sell({ billingInformation: { taxPercentage: 19, taxRateIds: ["vat"] } }),
			400,
			"BadUserInput",
			"'billingInformation.taxRateIds'",
		);
		isRefusal(
			await sell({ taxes: ["vat"], billingInformation: { taxRateIds: ["vat"] } }),
			400,
			"BadUserInput",
			"send one of them",
		);
	});

	test("keeps a tax that was archived since, where it is assigned", async () => {
		const ours = await shop();
		await ours.tax("vat", "+10");
		await ours.insist("PATCH", "/customers/acme", { taxes: ["vat"] });
		await ours.insist("POST", "/taxes/vat/archive");
		expect(await ours.insist("PATCH", "/customers/acme", { taxes: ["vat"], name: "Acme" })).toMatchObject({
			taxes: ["vat"],
		});
		await ours.plan("pro", [flat({ month: 10 })]);
		await ours.buy("pro");
		expect(await ours.taxed()).toEqual(["10 - 0 + 1 = 11: pro 10 | vat 10%: 1"]);
		expect(Object.keys(await ours.insist("PATCH", "/customers/acme", { taxes: null }))).not.toContain("taxes");
	});

	test("names the place of a charge or a version, and shows their taxes", async () => {
		const ours = await shop();
		await ours.tax("vat", "19");
		const draft = async (charges: object) => ours.call("PATCH", "/plans/pro", { body: { charges } });
		await ours.insist("POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });
		const charges = { pricingType: "PAID", pricingModels: [flat({ month: 10 }, { taxes: ["none"] })] };
		isRefusal(await draft(charges), 400, "InvalidArgumentError", "pricingModels");
		isRefusal(await draft({ pricingType: "PAID", taxes: ["none"] }), 400, "InvalidArgumentError", "'charges.taxes[0]'");
		const taxed = { pricingType: "PAID", taxes: [], pricingModels: [flat({ month: 10 }, { taxes: ["vat"] })] };
		expect((await draft(taxed)).body.data).toMatchObject({ taxes: [] });
		expect((await ours.insist("GET", "/plans/pro/charges"))[0]).toMatchObject({ taxes: ["vat"] });
		isRefusal(await draft({ pricingType: "FREE", taxes: ["vat"] }), 400, "BadUserInput", "'taxes'");
	});
});
