import { describe, expect, test } from "bun:test";
import { longText } from "../../support/world";
import { billedWorld, contractOf, draftWorld, fee, items, publishPlan, seats, tiers, uuid, year } from "./support";

const of = (existingSubscriptionId: string) => ({ subscriptions: [{ existingSubscriptionId }] });

describe("POST /contracts/{id}/billing/items", () => {
	test("answers the contract totals, every field", async () => {
		const { totals } = await billedWorld();
		expect(totals).toEqual({
			contractId: "C-1",
			externalId: "C-1",
			subTotal: 1790,
			totalDiscount: 120,
			totalTax: 216,
			total: 1886,
			items: [
				{ itemId: uuid, name: "Fee", subTotal: 1200, discount: 120, tax: 216, total: 1296 },
				{ itemId: uuid, name: "Seats", subTotal: 590, discount: 0, tax: 0, total: 590 },
			],
			currency: "usd",
			activationStartDate: "2026-01-01T00:00:00.000Z",
			activationEndDate: "2027-01-01T00:00:00.000Z",
			netTerms: null,
			legalEntityId: uuid,
			paymentAccountId: uuid,
		});
	});

	test("appends: the same call twice makes two lines, and later ones take the dates and currency of those there", async () => {
		const { call } = await draftWorld();
		const line = { name: "Fee", rows: [{ price: 10 }], netTerms: 14 };
		const first = await call("POST", items, { body: { items: [line], currency: "eur", ...year } });
		expect(first.body.data).toMatchObject({ total: 120, currency: "eur", netTerms: 14 });
		const second = await call("POST", items, { body: { items: [line] } });
		expect(second.body.data).toMatchObject({ total: 240, currency: "eur", netTerms: 14, ...year });
		expect((await call("GET", "/contracts/C-1/billing/summary")).body).toEqual(second.body);
	});

	test("without a word on it they are in the currency of the prices, else of the customer, else of the environment", async () => {
		const here = await draftWorld();
		const { call } = here;
		const lines = { items: [{ name: "Fee", rows: [{ price: 10 }] }] };
		const inCurrency = async (contractId: string) => {
			const empty = (await call("GET", `/contracts/${contractId}/billing/summary`)).body.data.currency;
			const { currency } = (await call("POST", `/contracts/${contractId}/billing/items`, { body: lines })).body.data;
			return [empty, currency];
		};
		here.db.$client.run("UPDATE environments SET default_currency = 'sek'");
		expect(await inCurrency("C-1")).toEqual(["sek", "sek"]);
		await call("PATCH", "/customers/acme", { body: { billingCurrency: "gbp" } });
		await call("POST", "/contracts", { body: contractOf({ contractId: "C-2", ...of("sub-support") }) });
		expect(await inCurrency("C-2")).toEqual(["gbp", "gbp"]);
		await publishPlan(here, "paid", "PAID", here.key, "eur");
		here.subscribe({ planId: "paid", id: "sub-paid", paymentCollectionMethod: "NONE" });
		await call("POST", "/contracts", { body: contractOf({ contractId: "C-3", ...of("sub-paid") }) });
		expect(await inCurrency("C-3")).toEqual(["eur", "eur"]);
	});

	test("terms on which the lines differ are null; the issuer never is", async () => {
		const { call } = await draftWorld();
		const { data } = (await call("GET", "/contracts/legal-entities")).body;
		await call("POST", items, { body: { items: [fee], ...year } });
		const later = { activationStartDate: "2026-07-01T00:00:00Z", activationEndDate: "2026-12-31T00:00:00Z" };
		const { body } = await call("POST", items, {
			body: { items: [{ ...fee, externalId: null, netTerms: 60 }], ...later },
		});
		expect(body.data).toMatchObject({
			subTotal: 1800,
			netTerms: null,
			activationStartDate: null,
			activationEndDate: null,
			legalEntityId: data[0].id,
			paymentAccountId: data[0].paymentAccounts[0].id,
		});
	});

	test.each([
		["one price", "flat", { rows: [{ price: 10, quantity: 60 }] }, 600],
		["blocks", "package", { rows: [{ price: 10, quantity: 60, packageSize: 50 }] }, 20],
		["two tiers", "tiered", { rows: tiers }, 590],
		["two tiers", "volume", { rows: tiers }, 540],
		["two tiers", "stairstep", { rows: tiers }, 9],
		["the template", "tiered", {}, 0],
		["no rows", "flat", { rows: [] }, 0],
		["keys it ignores", "flat", { rows: [{ price: 10, quantity: 3, packageSize: 7, from: 1, to: null }] }, 30],
	])("%s under the model %s", async (_, pricingModelId, rows, total) => {
		const { call } = await draftWorld();
		const { status, body } = await call("POST", items, {
			body: { items: [{ name: "Line", pricingModelId, ...rows }] },
		});
		expect([status, body.data.total]).toEqual([201, total]);
	});

	test("pay as you go takes a metered feature, and counts its priced rows", async () => {
		const { call } = await draftWorld();
		await call("POST", "/features", {
			body: { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" },
		});
		await call("POST", "/features", { body: { id: "sso", displayName: "SSO", featureType: "BOOLEAN" } });
		const usage = { name: "Calls", pricingModelId: "usage-tiered", rows: [{ to: 1000, price: 0.05 }, { price: 0.04 }] };
		const add = (item: object) => call("POST", items, { body: { items: [item] } });
		expect((await add({ ...usage, itemName: "calls" })).body.data.total).toBe(0.09);
		for (const [item, reason] of [
			[usage, "ITEM_NOT_METERED"],
			[{ ...usage, itemName: "sso" }, "ITEM_NOT_METERED"],
			[{ ...usage, itemName: "unknown" }, "ITEM_NOT_METERED"],
			[{ ...usage, itemName: "calls", paymentTime: "IN_ADVANCE" }, "IN_ADVANCE_NOT_ALLOWED"],
			[{ ...usage, itemName: "calls", rows: [{ price: 1, quantity: 5 }] }, "QUANTITY_NOT_ALLOWED"],
		] as const)
			expect(await add(item)).toMatchObject({
				status: 400,
				body: { code: "BillingContractOperationRejected", reason },
			});
		expect((await call("GET", "/contracts/C-1/billing/summary")).body.data.items).toHaveLength(1);
	});

	/** One world for all refusals: none of them may leave anything behind. */
	let untouched: ReturnType<typeof draftWorld> | undefined;
	const add = (...lines: object[]) => ({ body: { items: lines } });
	test.each([
		["malformed JSON", { body: "[" }, 400, "BadUserInput", "JSON"],
		["no items", { body: {} }, 400, "BadUserInput", "/items"],
		["an empty list", add(), 400, "BadUserInput", "/items"],
		["too many", add(...Array(101).fill({ name: "x" })), 400, "BadUserInput", "/items"],
		["no name", add({}), 400, "BadUserInput", "/items/0/name"],
		["a name too long", add({ name: longText(256) }), 400, "BadUserInput", "/items/0/name"],
		["an unknown key", add({ name: "x", price: 1 }), 400, "BadUserInput", "/items/0/price"],
		["an unknown row key", add({ name: "x", rows: [{ amount: 1 }] }), 400, "BadUserInput", "/items/0/rows/0/amount"],
		["a price in words", add({ name: "x", rows: [{ price: "one" }] }), 400, "BadUserInput", "/items/0/rows/0/price"],
		["a negative price", add({ name: "x", rows: [{ price: -1 }] }), 400, "BadUserInput", "/items/0/rows/0/price"],
		["a package of nothing", add({ name: "x", rows: [{ packageSize: 0 }] }), 400, "BadUserInput", "/packageSize"],
		["an unknown model", add({ name: "x", pricingModelId: "graduated" }), 400, "BadUserInput", "must be one of flat"],
		["an unknown cycle", add({ name: "x", billingCycleUnit: "daily" }), 400, "BadUserInput", "/billingCycleUnit"],
		[
			"an old engine's payment time",
			add({ name: "x", paymentTime: "BEFORE_USE" }),
			400,
			"BadUserInput",
			"/paymentTime",
		],
		["a discount above all", add({ name: "x", discount: 101 }), 400, "BadUserInput", "/discount"],
		["half a day's terms", add({ name: "x", netTerms: 0.5 }), 400, "BadUserInput", "/netTerms"],
		["an unknown currency", { body: { items: [{ name: "x" }], currency: "USD" } }, 400, "BadUserInput", "/currency"],
		["tiers that overlap", add({ ...seats, rows: [{ to: 5 }, { from: 3 }] }), 400, "BadUserInput", "overlap"],
		[
			"dates the wrong way",
			{ body: { items: [{ name: "x" }], activationEndDate: "2025-01-01T00:00:00Z" } },
			400,
			"BadUserInput",
			"activationEndDate",
		],
		[
			"an id twice in one call",
			add({ name: "x", externalId: "a" }, { name: "y", externalId: "a" }),
			409,
			"DuplicatedEntityNotAllowed",
			"'a'",
		],
		[
			"an unknown issuer",
			{ body: { items: [{ name: "x" }], legalEntityId: "nobody" } },
			400,
			"BillingContractOperationRejected",
			"legal-entities",
		],
		[
			"totals beyond a number",
			add({ name: "x", rows: [{ price: 1e12, quantity: 1e6 }] }),
			400,
			"AmountTooLarge",
			"90 trillion",
		],
	])("%s", async (_, options, status, code, message) => {
		untouched ??= draftWorld(year);
		const { call } = await untouched;
		const answer = await call("POST", items, options);
		expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(message) } });
		expect("reason" in answer.body).toBe(code === "BillingContractOperationRejected");
		expect((await call("GET", "/contracts/C-1/billing/summary")).body.data).toMatchObject({ total: 0, items: [] });
	});

	test("a contract has at most 500 lines", async () => {
		const { call } = await draftWorld();
		const hundred = { body: { items: Array(100).fill({ name: "Line", rows: [{ price: 1 }] }) } };
		for (let times = 0; times < 5; times += 1) expect((await call("POST", items, hundred)).status).toBe(201);
		expect((await call("POST", items, { body: { items: [fee] } })).body.reason).toBe("TOO_MANY_LINE_ITEMS");
		expect((await call("GET", "/contracts/C-1/billing/summary")).body.data.total).toBe(500);
	});

	test("refuses a second line of one id, one in another currency, and a contract that is unknown or another's", async () => {
		const { call, foreignKey } = await billedWorld();
		expect(await call("POST", items, { body: { items: [seats] } })).toMatchObject({ status: 409 });
		expect(await call("POST", items, { body: { items: [{ name: "x" }], currency: "eur" } })).toMatchObject({
			status: 400,
			body: { code: "BillingContractOperationRejected", reason: "CURRENCY_MISMATCH" },
		});
		const unknown = { status: 404, body: { code: "ContractNotFound" } };
		expect(await call("POST", "/contracts/C-2/billing/items", { body: { items: [fee] } })).toMatchObject(unknown);
		expect(await call("POST", items, { key: foreignKey, body: { items: [fee] } })).toMatchObject(unknown);
	});
});

describe("DELETE /contracts/{id}/billing/items/{itemRef}/rows/{rowIndex}", () => {
	let untouched: ReturnType<typeof billedWorld> | undefined;

	test("recomputes the totals; the rows after it move up; the last leaves a line of nothing", async () => {
		const { call, totals } = await billedWorld();
		const remove = async (index: number) => (await call("DELETE", `${items}/seats/rows/${index}`)).body.data;
		const first = await remove(0);
		expect(first).toEqual({
			...totals,
			subTotal: 1290,
			total: 1386,
			items: [totals.items[0], { ...totals.items[1], subTotal: 90, total: 90 }],
		});
		const last = await remove(0);
		expect(last).toEqual({
			...totals,
			subTotal: 1200,
			total: 1296,
			items: [totals.items[0], { ...totals.items[1], subTotal: 0, total: 0 }],
		});
		expect((await call("GET", "/contracts/C-1/billing/summary")).body.data).toEqual(last);
		expect(await call("DELETE", `${items}/seats/rows/0`)).toMatchObject({
			status: 400,
			body: {
				code: "BillingContractOperationRejected",
				reason: "ROW_NOT_FOUND",
				message: expect.stringContaining("none"),
			},
		});
	});

	test("a row keeps the lower bound and the quantity that it took from its neighbours", async () => {
		const { call } = await draftWorld();
		const rows = [{ to: 50, price: 10, quantity: 60 }, { price: 9 }];
		await call("POST", items, { body: { items: [{ ...seats, rows }] } });
		expect((await call("DELETE", `${items}/seats/rows/0`)).body.data.total).toBe(90);
	});

	test("deleting row i equals never having had it, for every model and row", async () => {
		const { call } = await draftWorld(year);
		const flatRows = [{ price: 1.005, quantity: 3 }, { price: 20 }, { price: 7.77, quantity: 2 }];
		const tierRows = [
			{ from: 0, to: 10, price: 3, quantity: 42 },
			{ from: 10, to: 40, price: 2, quantity: 42 },
			{ from: 40, to: null, price: 1, quantity: 42 },
		];
		for (const pricingModelId of ["flat", "package", "tiered", "volume", "stairstep"])
			for (const index of [0, 1, 2]) {
				const rows = pricingModelId === "flat" || pricingModelId === "package" ? flatRows : tierRows;
				const line = { name: "Line", pricingModelId, discount: 12.5, tax: 7.7, externalId: "line" };
				const figuresOf = ({ items: [{ itemId: _, ...figures }], ...sums }: { items: [{ itemId: string }] }) => ({
					...sums,
					figures,
				});
				await call("POST", items, { body: { items: [{ ...line, rows }] } });
				const deleted = (await call("DELETE", `${items}/line/rows/${index}`)).body.data;
				await call("DELETE", `${items}/line`);
				const built = (await call("POST", items, { body: { items: [{ ...line, rows: rows.toSpliced(index, 1) }] } }))
					.body.data;
				await call("DELETE", `${items}/line`);
				expect(figuresOf(deleted)).toEqual(figuresOf(built));
			}
	});

	test("an item is addressed by its external id or its item id; refs are percent-decoded", async () => {
		const { call } = await draftWorld();
		const odd = "a/b ü%?#";
		const { body } = await call("POST", items, { body: { items: [{ ...seats, externalId: odd }] } });
		const removed = await call("DELETE", `${items}/${encodeURIComponent(odd)}/rows/0`);
		expect([removed.status, removed.body.data.total]).toEqual([200, 90]);
		const again = await call("DELETE", `${items}/${body.data.items[0].itemId}/rows/0`);
		expect([again.status, again.body.data.total]).toEqual([200, 0]);
	});

	test.each([
		["a negative index", "C-1", "seats", "-1", 400, "BadUserInput", "rowIndex"],
		["half an index", "C-1", "seats", "0.5", 400, "BadUserInput", "rowIndex"],
		["a word for an index", "C-1", "seats", "first", 400, "BadUserInput", "rowIndex"],
		["an index of another base", "C-1", "seats", "0x0", 400, "BadUserInput", "rowIndex"],
		["an item ref too long", "C-1", longText(256), "0", 400, "BadUserInput", "itemRef"],
		["a contract id too long", longText(256), "seats", "0", 400, "BadUserInput", "id"],
		["broken percent-encoding", "C-1", "%E0%A4%A", "0", 400, "BadUserInput", "itemRef"],
		["an unknown contract", "C-2", "seats", "0", 404, "ContractNotFound", "'C-2'"],
		["an unknown item", "C-1", "chairs", "0", 400, "BillingContractOperationRejected", "'chairs'"],
		["an index just beyond", "C-1", "seats", "2", 400, "BillingContractOperationRejected", "rows 0 to 1"],
	])("%s", async (_, id, itemRef, rowIndex, status, code, message) => {
		untouched ??= billedWorld();
		const { call, totals } = await untouched;
		const answer = await call("DELETE", `/contracts/${id}/billing/items/${itemRef}/rows/${rowIndex}`);
		expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(message) } });
		expect("reason" in answer.body).toBe(code === "BillingContractOperationRejected");
		expect((await call("GET", "/contracts/C-1/billing/summary")).body.data).toEqual(totals);
	});

	test("another environment's key finds no contract, and changes nothing", async () => {
		const { call, foreignKey, totals } = await billedWorld();
		expect(await call("DELETE", `${items}/seats/rows/0`, { key: foreignKey })).toMatchObject({
			status: 404,
			body: { code: "ContractNotFound" },
		});
		expect((await call("GET", "/contracts/C-1/billing/summary", { key: foreignKey })).status).toBe(404);
		expect((await call("GET", "/contracts/C-1/billing/summary")).body.data).toEqual(totals);
	});
});

describe("PATCH and DELETE /contracts/{id}/billing/items/{itemRef}", () => {
	test("replaces all rows, or removes the line", async () => {
		const { call } = await billedWorld();
		const replaced = await call("PATCH", `${items}/seats`, { body: { rows: [{ price: 2, quantity: 5 }] } });
		expect([replaced.status, replaced.body.data.subTotal]).toEqual([200, 1210]);
		expect((await call("PATCH", `${items}/seats`, { body: { rows: [] } })).body.data.items[1].total).toBe(0);
		const removed = await call("DELETE", `${items}/seats`);
		expect([removed.status, removed.body.data.items]).toEqual([200, [expect.objectContaining({ name: "Fee" })]]);
		expect((await call("DELETE", `${items}/seats`)).body.reason).toBe("LINE_ITEM_NOT_FOUND");
	});

	test.each([
		["no rows", {}, 400, "BadUserInput"],
		["another key", { rows: [], name: "x" }, 400, "BadUserInput"],
		["an unknown row key", { rows: [{ price: 1, upTo: 5 }] }, 400, "BadUserInput"],
		["too many rows", { rows: Array(101).fill({ price: 1 }) }, 400, "BadUserInput"],
		["malformed JSON", "{", 400, "BadUserInput"],
	])("%s", async (_, body, status, code) => {
		const { call, totals } = await billedWorld();
		expect(await call("PATCH", `${items}/seats`, { body })).toMatchObject({ status, body: { code } });
		expect((await call("GET", "/contracts/C-1/billing/summary")).body.data).toEqual(totals);
	});
});
