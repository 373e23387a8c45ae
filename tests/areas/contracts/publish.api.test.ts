import { describe, expect, test } from "bun:test";
import { draftWorld, fee, items, seats, uuid, year } from "./support";

describe("publishing", () => {
	const publish = "/contracts/C-1/billing/publish";

	test("makes the billing live, and fixes its lines", async () => {
		const { call } = await draftWorld();
		await call("POST", items, { body: { items: [fee], ...year } });
		const before = await call("GET", "/contracts/C-1/billing/summary");
		const published = await call("POST", publish);
		expect(published).toMatchObject({
			status: 200,
			body: { data: { contractId: "C-1", state: "ACTIVE", billingState: "ACTIVE" } },
		});
		for (const [method, path, body] of [
			["DELETE", `${items}/fee/rows/0`],
			["DELETE", `${items}/fee`],
			["PATCH", `${items}/fee`, { rows: [] }],
			["POST", items, { items: [fee] }],
			["POST", publish],
		] as const) {
			const answer = await call(method, path, body ? { body } : {});
			expect(answer).toMatchObject({
				status: 400,
				body: { code: "BillingContractOperationRejected", reason: "CONTRACT_NOT_DRAFT" },
			});
			expect(Object.keys(answer.body).sort()).toEqual(["code", "message", "reason"]);
		}
		expect((await call("GET", "/contracts/C-1/billing/summary")).body).toEqual(before.body);
	});

	test.each([
		["no lines", undefined, "NO_LINE_ITEMS"],
		["a line without dates", { items: [fee] }, "BILLING_PERIOD_MISSING"],
		["a line without net terms", { items: [fee, seats], ...year }, "NET_TERMS_MISSING"],
	])("%s is refused", async (_, body, reason) => {
		const { call } = await draftWorld();
		if (body) await call("POST", items, { body });
		expect(await call("POST", publish)).toMatchObject({
			status: 400,
			body: { code: "BillingContractOperationRejected", reason },
		});
		expect((await call("GET", "/contracts/C-1")).body.data.billingState).toBe("DRAFT");
	});

	test("an unknown contract, and a body where none belongs", async () => {
		const { call } = await draftWorld();
		expect(await call("POST", "/contracts/C-2/billing/publish")).toMatchObject({
			status: 404,
			body: { code: "ContractNotFound" },
		});
		expect((await call("POST", publish, { body: { now: true } })).status).toBe(400);
	});

	test("every billing route refuses a contract without a billing half", async () => {
		const { call } = await draftWorld({ setupBilling: false });
		for (const [method, path, body] of [
			["GET", "/contracts/C-1/billing/summary"],
			["POST", items, { items: [fee] }],
			["POST", publish],
			["PATCH", `${items}/fee`, { rows: [] }],
			["DELETE", `${items}/fee`],
			["DELETE", `${items}/fee/rows/0`],
		] as const)
			expect(await call(method, path, body ? { body } : {})).toMatchObject({
				status: 400,
				body: { code: "BillingContractOperationRejected", reason: "BILLING_NOT_SET_UP" },
			});
	});
});

describe("the available choices", () => {
	test("the pricing models", async () => {
		const { call } = await draftWorld();
		const { body } = await call("GET", "/contracts/pricing-models");
		expect(body.pagination).toEqual({ next: null, prev: null });
		expect(body.data).toHaveLength(10);
		expect(body.data[1]).toEqual({
			id: "package",
			name: "Package",
			categoryName: "fixed",
			isPayAsYouGo: false,
			editableInputs: ["quantity", "price", "packageSize"],
		});
		expect(body.data[7]).toEqual({
			id: "usage-tiered",
			name: "Tiered",
			categoryName: "usage",
			isPayAsYouGo: true,
			editableInputs: ["price", "from", "to"],
		});
	});

	test("one default legal entity with one payment account, the same at every call, another in each environment", async () => {
		const { call, foreignKey } = await draftWorld();
		const ours = await call("GET", "/contracts/legal-entities");
		expect(ours.body).toEqual({
			data: [
				{
					id: uuid,
					name: "Ours",
					isDefault: true,
					paymentAccounts: [{ id: uuid, name: "Default payment account", isDefault: true }],
				},
			],
			pagination: { next: null, prev: null },
		});
		expect((await call("GET", "/contracts/legal-entities")).body).toEqual(ours.body);
		const theirs = await call("GET", "/contracts/legal-entities", { key: foreignKey });
		expect(theirs.body.data[0]).toMatchObject({ name: "Theirs" });
		expect(theirs.body.data[0].id).not.toBe(ours.body.data[0].id);
		const { body } = await call("POST", items, { body: { items: [fee], legalEntityId: theirs.body.data[0].id } });
		expect(body.reason).toBe("LEGAL_ENTITY_NOT_FOUND");
	});
});
