import { describe, expect, test } from "bun:test";
import { assertPublishable, paymentTimeOf, readWindow } from "../../../src/areas/contracts/rules";
import { assertMembers, assertOneOfTwo, type Member } from "../../../src/areas/contracts/rules.membership";
import { type PricingModelId, pricingModel, pricingModels } from "../../../src/areas/contracts/rules.models";
import { readRows } from "../../../src/areas/contracts/rules.rows";
import type { ItemRow } from "../../../src/areas/contracts/schema";
import { DomainError } from "../../../src/kernel/errors";

/** The code of a refusal, with its reason where there is one; undefined when nothing is refused. */
function refusal(body: () => unknown): string | undefined {
	try {
		body();
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		return error.reason ? `${error.code} ${error.reason}` : error.code;
	}
	return undefined;
}

describe("pricing models", () => {
	test("have the ids, names and inputs of the interface", () => {
		expect(pricingModels.map(({ id }) => String(id))).toEqual([
			...["flat", "package", "tiered", "volume", "stairstep"],
			...["usage-flat", "usage-package", "usage-tiered", "usage-volume", "usage-stairstep"],
		]);
		for (const { id, isPayAsYouGo, editableInputs, template } of pricingModels) {
			expect(id.startsWith("usage-")).toBe(isPayAsYouGo);
			expect(editableInputs.includes("quantity")).toBe(!isPayAsYouGo);
			expect(template).toHaveLength(1);
		}
	});
});

const rowsOf = (id: PricingModelId, sent: readonly ItemRow[] | undefined) =>
	readRows(pricingModel(id), sent).map((row) =>
		Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value === null ? null : Number(value)])),
	);
const row = (values: object) => ({ quantity: null, price: null, from: null, to: null, packageSize: null, ...values });

describe("rows as they are stored", () => {
	test.each([
		["none sent: the model's template", "flat", undefined, [row({ quantity: 1, price: 0 })]],
		["an empty list: no rows", "flat", [], []],
		["a quantity left out is one", "flat", [{ price: 5 }], [row({ quantity: 1, price: 5 })]],
		[
			"keys the model does not use are ignored",
			"flat",
			[{ price: 5, from: 7, to: 3, packageSize: 9 }],
			[row({ quantity: 1, price: 5 })],
		],
		[
			"a package size left out is one",
			"package",
			[{ price: 5, quantity: 3 }],
			[row({ quantity: 3, price: 5, packageSize: 1 })],
		],
		[
			"a lower bound left out is the end of the tier before",
			"tiered",
			[{ to: 50, price: 10, quantity: 60 }, { price: 9 }],
			[row({ quantity: 60, price: 10, from: 0, to: 50 }), row({ quantity: 60, price: 9, from: 50 })],
		],
		[
			"a gap is left as it is",
			"volume",
			[
				{ to: 5, price: 1 },
				{ from: 7, price: 2 },
			],
			[row({ quantity: 1, price: 1, from: 0, to: 5 }), row({ quantity: 1, price: 2, from: 7 })],
		],
		[
			"pay as you go has no quantity",
			"usage-tiered",
			[
				{ to: 5, price: 1 },
				{ price: 2, quantity: null },
			],
			[row({ price: 1, from: 0, to: 5 }), row({ price: 2, from: 5 })],
		],
	] as Array<[string, PricingModelId, ItemRow[] | undefined, object[]]>)("%s", (_, id, sent, stored) => {
		expect(rowsOf(id, sent)).toEqual(stored as never);
	});

	test.each([
		["two quantities in a tier model", "volume", [{ to: 5, quantity: 1 }, { quantity: 2 }], "BadUserInput"],
		["two quantities in a flat one", "flat", [{ quantity: 1 }, { quantity: 2 }], undefined],
		["an empty tier", "tiered", [{ from: 5, to: 5 }], "BadUserInput"],
		["an open tier before the last", "tiered", [{ to: null }, { from: 5 }], "BadUserInput"],
		["tiers that overlap", "stairstep", [{ to: 5 }, { from: 4 }], "BadUserInput"],
		["tiers that touch", "stairstep", [{ to: 5 }, { from: 5 }], undefined],
		[
			"a quantity on pay as you go",
			"usage-flat",
			[{ price: 1, quantity: 5 }],
			"BillingContractOperationRejected QUANTITY_NOT_ALLOWED",
		],
		[
			"a quantity of zero on pay as you go",
			"usage-flat",
			[{ quantity: 0 }],
			"BillingContractOperationRejected QUANTITY_NOT_ALLOWED",
		],
	] as Array<[string, PricingModelId, ItemRow[], string | undefined]>)("%s", (_, id, sent, code) => {
		expect(refusal(() => rowsOf(id, sent))).toBe(code);
	});
});

describe("membership", () => {
	const member = (values: Partial<Member>): Member => ({
		refId: "sub",
		customerId: "customer",
		productId: "product",
		pricingType: "CUSTOM",
		paymentCollectionMethod: null,
		currencies: [],
		contractId: null,
		contractRefId: null,
		hasEnded: false,
		...values,
	});
	const other = member({ refId: "other", productId: "another product" });

	test.each([
		["a custom plan", [member({})], undefined],
		[
			"a paid plan that is not collected",
			[member({ pricingType: "PAID", paymentCollectionMethod: "NONE" })],
			undefined,
		],
		["a paid plan", [member({ pricingType: "PAID" })], "InvalidArgumentError"],
		[
			"a paid plan that is charged",
			[member({ pricingType: "PAID", paymentCollectionMethod: "CHARGE" })],
			"InvalidArgumentError",
		],
		[
			"a free plan, collected or not",
			[member({ pricingType: "FREE", paymentCollectionMethod: "NONE" })],
			"InvalidArgumentError",
		],
		["another customer's", [member({ customerId: "somebody" })], "InvalidArgumentError"],
		[
			"one that is on another contract",
			[member({ contractId: "row-2", contractRefId: "C-2" })],
			"InvalidArgumentError",
		],
		["one that is on this contract", [member({ contractId: "row-1", contractRefId: "C-1" })], undefined],
		[
			"more than a contract takes",
			Array.from({ length: 101 }, (_, at) => member({ refId: `sub-${at}`, productId: `product-${at}` })),
			"InvalidArgumentError",
		],
		["two products", [member({}), other], undefined],
		["two of one product", [member({}), member({ refId: "second" })], "DuplicatedEntityNotAllowed"],
		[
			"a second one of a product whose first has ended",
			[member({ hasEnded: true }), member({ refId: "second" })],
			undefined,
		],
		["the same one twice", [other, other], "DuplicatedEntityNotAllowed"],
		["one currency", [member({ currencies: ["usd"] }), { ...other, currencies: ["usd"] }], undefined],
		["two currencies", [member({ currencies: ["usd"] }), { ...other, currencies: ["eur"] }], "InvalidArgumentError"],
	] as Array<[string, Member[], string | undefined]>)("%s", (_, members, code) => {
		expect(refusal(() => assertMembers({ id: "row-1", customerId: "customer" }, members))).toBe(code);
	});

	test.each([
		["an existing one", { existingSubscriptionId: "sub" }, undefined],
		["a new one", { newSubscription: { customerId: "c", planId: "p" } }, undefined],
		["neither", {}, "BadUserInput"],
		["both", { existingSubscriptionId: "sub", newSubscription: { customerId: "c", planId: "p" } }, "BadUserInput"],
	])("an entry names %s", (_, entry, code) => {
		expect(refusal(() => assertOneOfTwo([{ existingSubscriptionId: "first" }, entry]))).toBe(code);
	});
});

describe("the billing half", () => {
	const none = { activationStartAt: null, activationEndAt: null };
	const day = "2026-01-01T00:00:00Z";

	test.each([
		["nothing sent", {}, undefined],
		["a start alone", { activationStartDate: day }, undefined],
		["an end alone", { activationEndDate: day }, undefined],
		["an end at the start", { activationStartDate: day, activationEndDate: day }, "BadUserInput"],
		[
			"an end before the start, by its zone",
			{ activationStartDate: day, activationEndDate: "2026-01-01T00:30:00+01:00" },
			"BadUserInput",
		],
	])("a window of %s", (_, sent, code) => {
		expect(refusal(() => readWindow(sent, none))).toBe(code);
	});

	test("fills missing dates of a window from the stored ones", () => {
		const start = readWindow({ activationStartDate: day }, none);
		expect(readWindow({}, start)).toEqual(start);
		expect(refusal(() => readWindow({ activationEndDate: "2025-12-31T00:00:00Z" }, start))).toBe("BadUserInput");
	});

	test.each([
		["flat", undefined, "IN_ADVANCE"],
		["flat", "IN_ARREARS", "IN_ARREARS"],
		["usage-flat", undefined, "IN_ARREARS"],
		["usage-flat", "IN_ARREARS", "IN_ARREARS"],
	] as const)("%s paid %p is %s", (id, paymentTime, shown) => {
		expect(paymentTimeOf(pricingModel(id), paymentTime ? { paymentTime } : {})).toBe(shown);
	});

	test("pay as you go is never paid in advance", () => {
		expect(refusal(() => paymentTimeOf(pricingModel("usage-flat"), { paymentTime: "IN_ADVANCE" }))).toBe(
			"BillingContractOperationRejected IN_ADVANCE_NOT_ALLOWED",
		);
	});

	test.each([
		["no billing half", null, "BILLING_NOT_SET_UP"],
		["live billing", "ACTIVE", "CONTRACT_NOT_DRAFT"],
		["no lines", "DRAFT", "NO_LINE_ITEMS"],
	] as const)("publishing with %s is refused", (_, billingState, reason) => {
		expect(
			refusal(() =>
				assertPublishable({ refId: "C-1", billingState, amendingSince: null, archivedAt: null }, [], () => null),
			),
		).toBe(`BillingContractOperationRejected ${reason}`);
	});
});
