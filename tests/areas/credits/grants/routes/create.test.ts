import { describe, expect, test } from "bun:test";
import { longText } from "../../../../support/world";
import { guard, isRefusal } from "../../../packages/guards";
import { bank, fillBank, gift, give, invoices, ledger, path, sold, wallet } from "../site";

guard([{ method: "POST", path, scope: "CREDIT:WRITE", body: gift }], fillBank);

describe("POST /credits/grants", () => {
	test("grants credits at once, with every key of the contract", async () => {
		const ours = await bank();
		const answer = await ours.call("POST", path, { body: gift });
		expect(answer.status).toBe(201);
		expect(answer.body).toEqual({
			data: {
				id: expect.stringMatching(/^[0-9a-f-]{36}$/),
				customerId: "acme",
				currencyId: "gold",
				resourceId: null,
				displayName: "Gift",
				comment: null,
				grantType: "PROMOTIONAL",
				sourceType: null,
				status: "ACTIVE",
				amount: 100,
				consumedAmount: 0,
				priority: 50,
				cost: { amount: 0, currency: "usd" },
				effectiveAt: "2026-01-31T00:00:00.000Z",
				expireAt: null,
				voidedAt: null,
				paymentCollection: "NOT_REQUIRED",
				invoiceId: null,
				latestInvoice: null,
				syncStates: null,
				metadata: {},
				createdAt: "2026-01-31T00:00:00.000Z",
				updatedAt: "2026-01-31T00:00:00.000Z",
			},
		});
		expect(wallet(ours)).toEqual([100, 0]);
		expect(await invoices(ours)).toEqual([]);
	});

	test("stores all fields; a resource has a separate wallet, and is created by the grant", async () => {
		const ours = await bank();
		const said = {
			resourceId: "site-1",
			comment: "A word",
			priority: 0,
			amount: 0.000000000001,
			effectiveAt: "2026-02-01T00:00:00.000Z",
			expireAt: "2026-03-01T00:00:00.000Z",
			metadata: { ticket: "7" },
		};
		expect(await give(ours, said)).toMatchObject({ ...said, status: "SCHEDULED", amount: 1e-12 });
		expect(wallet(ours, "site-1")).toEqual([0, 0]);
		await ours.advance("2026-02-01T00:00:00.000Z");
		await ours.call("PATCH", `${path}/${(await give(ours, { resourceId: "site-1" })).id}`, { body: {} });
		expect(wallet(ours, "site-1")).toEqual([100 + 1e-12, 0]);
		expect(wallet(ours)).toEqual([0, 0]);
		const resources = await ours.call("GET", "/customers/acme/resources");
		expect(resources.body.data).toMatchObject([{ id: "site-1" }]);
	});

	test.each([
		["an amount of nothing", { amount: 0 }, "/amount"],
		["an amount below nothing", { amount: -1 }, "/amount"],
		["an amount in words", { amount: "five" }, "/amount"],
		["an amount beyond exact numbers", { amount: 1e15 }, "/amount"],
		["an amount of thirteen places", { amount: 1.0000000000001 }, "12 decimal places"],
		["no amount", { amount: undefined }, "amount"],
		["no name", { displayName: undefined }, "displayName"],
		["an empty name", { displayName: "" }, "/displayName"],
		["a long name", { displayName: longText(256) }, "/displayName"],
		["a long comment", { comment: longText(4097) }, "/comment"],
		["what only the server grants", { grantType: "RECURRING" }, "/grantType"],
		["an overdraft", { grantType: "OVERDRAFT" }, "/grantType"],
		["a broken priority", { priority: 1.5 }, "/priority"],
		["a priority below nothing", { priority: -1 }, "/priority"],
		["a day without a time", { effectiveAt: "2026-01-31" }, "/effectiveAt"],
		["a price of a gift", { cost: { amount: 1, currency: "usd" } }, "PROMOTIONAL"],
		["an unknown money", { ...sold, cost: { amount: 1, currency: "zzz" } }, "/cost/currency"],
		["half a cent", { ...sold, cost: { amount: 1.005, currency: "usd" } }, "/cost/amount"],
		["half a yen", { ...sold, cost: { amount: 0.5, currency: "jpy" } }, "/cost/amount"],
		["a cost below nothing", { ...sold, cost: { amount: -1, currency: "usd" } }, "/cost/amount"],
		["an invoice of a gift", { paymentCollectionMethod: "INVOICE" }, "not invoiced"],
		["when a gift is due", { billingInformation: { invoiceDaysUntilDue: 3 } }, "not invoiced"],
		[
			"where to send no invoice",
			{ ...sold, paymentCollectionMethod: "NONE", billingInformation: { billingAddress: {} } },
			"not invoiced",
		],
		["broken days", { ...sold, billingInformation: { invoiceDaysUntilDue: 0.5 } }, "/billingInformation"],
		["a number in the metadata", { metadata: { a: 1 } }, "/metadata"],
		["a resource of null", { resourceId: null }, "/resourceId"],
	])("refuses %s", async (_, change, message) => {
		const ours = await bank();
		isRefusal(await ours.call("POST", path, { body: { ...gift, ...change } }), 400, "BadUserInput", message);
		expect(ledger(ours)).toEqual([]);
	});

	test("refuses an expiry before or at the effective date", async () => {
		const ours = await bank();
		const code = "ExpireAtMustBeLaterThanEffectiveAtError";
		for (const dates of [
			{ expireAt: "2026-01-31T00:00:00Z" },
			{ effectiveAt: "2026-03-01T00:00:00Z", expireAt: "2026-02-01T00:00:00Z" },
		])
			isRefusal(await ours.call("POST", path, { body: { ...gift, ...dates } }), 400, code, "later than");
	});

	test("refuses automatic charges, and unknown customers and currencies", async () => {
		const ours = await bank();
		const refuse = async (change: object, status: number, code: string, message: string) =>
			isRefusal(await ours.call("POST", path, { body: { ...gift, ...change } }), status, code, message);
		await refuse({ ...sold, paymentCollectionMethod: "CHARGE" }, 400, "BillingIntegrationMissing", "INVOICE");
		await refuse({ customerId: "nobody" }, 404, "CustomerNotFound", "'nobody'");
		await refuse({ currencyId: "lead" }, 404, "CustomCurrencyNotFound", "'lead'");
		await ours.call("POST", "/credits/custom-currencies/silver/archive");
		await refuse({ currencyId: "silver" }, 404, "CustomCurrencyNotFound", "'silver'");
		const foreign = await ours.call("POST", path, { body: gift, key: ours.foreignKey });
		isRefusal(foreign, 404, "CustomerNotFound", "'acme'");
		await ours.call("POST", "/customers/acme/archive");
		await refuse({}, 400, "EntityIsArchivedError", "'acme'");
		expect(ledger(ours)).toEqual([]);
	});

	test("a repeated Idempotency-Key grants credits once", async () => {
		const ours = await bank();
		const options = { body: gift, headers: { "idempotency-key": "once" } };
		const first = await ours.call("POST", path, options);
		expect((await ours.call("POST", path, options)).body).toEqual(first.body);
		expect(wallet(ours)).toEqual([100, 0]);
	});
});

describe("a currency with a balance", () => {
	const archive = "/credits/custom-currencies/gold/archive";
	test("cannot be archived until its credits are voided; an overdraft counts as a balance", async () => {
		const ours = await bank();
		const { id } = await give(ours);
		isRefusal(await ours.call("POST", archive), 400, "IntegrityViolation", "balance");
		await ours.call("POST", `${path}/${id}/void`);
		expect((await ours.call("POST", archive)).status).toBe(200);
	});
});
