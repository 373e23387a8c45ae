import { expect, test } from "bun:test";
import { billedWorld, contractOf, contractWorld, fee, items } from "./support";

const publish = "/contracts/C-1/billing/publish";
const amendment = "/contracts/C-1/billing/edit-active";

test("shows each line with its rows complete, in the order in which they were added", async () => {
	const { call } = await billedWorld();
	const { status, body } = await call("GET", items);
	expect(status).toBe(200);
	const { items: totals } = (await call("GET", "/contracts/C-1/billing/summary")).body.data;
	expect(body.data).toMatchObject({ contractId: "C-1", currency: "usd", isOpen: true, isAmendment: false });
	expect(body.data.items.map(({ itemId }: { itemId: string }) => itemId)).toEqual(
		totals.map(({ itemId }: { itemId: string }) => itemId),
	);
	expect(body.data.items[0]).toEqual({
		itemId: expect.any(String),
		externalId: "fee",
		name: "Fee",
		itemName: null,
		pricingModelId: "flat",
		rows: [{ quantity: 1, price: 100, from: null, to: null, packageSize: null }],
		billingCycleUnit: "monthly",
		billingCycleCount: 1,
		paymentTime: "IN_ADVANCE",
		discount: 10,
		tax: 20,
		netTerms: 30,
		separateInvoice: false,
		prorateCutCycles: false,
		activationStartDate: "2026-01-01T00:00:00.000Z",
		activationEndDate: "2027-01-01T00:00:00.000Z",
		isTakenOut: false,
	});
	expect(body.data.items[1].rows.at(-1)).toMatchObject({ to: null });
});

test("the returned items are accepted again unchanged", async () => {
	const { call } = await billedWorld();
	const before = (await call("GET", items)).body.data;
	const rows = before.items[1].rows;
	expect((await call("PATCH", `${items}/seats`, { body: { rows } })).status).toBe(200);
	expect((await call("GET", items)).body.data).toEqual(before);
});

test("is closed once it is published, and open while it is amended, with what the amendment takes out", async () => {
	const { call } = await billedWorld();
	const state = async () => {
		const { isOpen, isAmendment, items: all } = (await call("GET", items)).body.data;
		const taken = all.flatMap((one: { isTakenOut: boolean; name: string }) => (one.isTakenOut ? [one.name] : []));
		return { isOpen, isAmendment, taken };
	};
	await call("PATCH", "/contracts/C-1/billing/terms", { body: { netTerms: 30 } });
	expect((await call("POST", publish, { body: {} })).status).toBe(200);
	expect(await state()).toEqual({ isOpen: false, isAmendment: false, taken: [] });
	await call("POST", amendment, { body: {} });
	expect(await state()).toEqual({ isOpen: true, isAmendment: true, taken: [] });
	expect((await call("DELETE", `${items}/fee`)).status).toBe(200);
	expect(await state()).toEqual({ isOpen: true, isAmendment: true, taken: ["Fee"] });
	await call("DELETE", amendment);
	expect(await state()).toEqual({ isOpen: false, isAmendment: false, taken: [] });
	await call("POST", "/contracts/C-1/archive", { body: {} });
	expect(await state()).toMatchObject({ isOpen: false });
});

test("a contract without lines has an empty list, in the currency that its lines would have", async () => {
	const { call } = await contractWorld();
	await call("POST", "/contracts", { body: contractOf() });
	expect((await call("GET", items)).body.data).toMatchObject({ currency: "usd", isOpen: true, items: [] });
	await call("POST", items, { body: { items: [fee], currency: "eur" } });
	expect((await call("GET", items)).body.data.currency).toBe("eur");
});

test("a contract without billing, a missing one and one of another environment are refused", async () => {
	const { call, foreignKey } = await contractWorld();
	await call("POST", "/contracts", { body: contractOf({ setupBilling: false }) });
	expect(await call("GET", items)).toMatchObject({ status: 400, body: { code: "BillingContractOperationRejected" } });
	for (const answer of [
		await call("GET", "/contracts/none/billing/items"),
		await call("GET", items, { key: foreignKey }),
	])
		expect(answer).toMatchObject({ status: 404, body: { code: "ContractNotFound" } });
	expect((await call("GET", `${items}?rows=1`)).status).toBe(400);
});
