import { beforeAll, describe, expect, test } from "bun:test";
import { type World, world } from "../../../support/world";
import { apply, type CatalogueName, catalogueNames, fileText } from "../files";
import { type Basket, type QuotedLine, quote } from "../quote";

const worlds = new Map<CatalogueName, World>();
beforeAll(() => {
	for (const name of catalogueNames) {
		const ours = world();
		apply(ours, fileText(name));
		worlds.set(name, ours);
	}
});

const at = (name: CatalogueName): World => {
	const ours = worlds.get(name);
	if (!ours) throw new Error(`no world of ${name}`);
	return ours;
};

interface Example {
	readonly basket: Basket;
	readonly lines: readonly QuotedLine[];
	readonly discount?: number;
	readonly total: number;
	readonly currency?: string;
}

/** Worked by hand, to the cent. */
const examples: Readonly<Record<CatalogueName, readonly Example[]>> = {
	seats: [
		{
			// 7 × 9.99
			basket: { planId: "teamboard-standard", units: { members: 7 } },
			lines: [["members", 7, 69.93]],
			total: 69.93,
		},
		{
			// 12 × 95.90
			basket: { planId: "teamboard-standard", billingPeriod: "ANNUALLY", units: { members: 12 } },
			lines: [["members", 12, 1150.8]],
			total: 1150.8,
		},
		{
			// Germany has a price of its own: 7 × 9.49
			basket: { planId: "teamboard-standard", country: "DE", units: { members: 7 } },
			lines: [["members", 7, 66.43]],
			total: 66.43,
			currency: "eur",
		},
		{
			// 69.93 − 20
			basket: { planId: "teamboard-standard", units: { members: 7 }, couponId: "spring" },
			lines: [["members", 7, 69.93]],
			discount: 20,
			total: 49.93,
		},
		{
			basket: { planId: "teamboard-business", units: { members: 50 } },
			lines: [["members", 50, 1200]],
			total: 1200,
		},
		{
			// One more seat puts all of them into the next tier: 51 × 21.50
			basket: { planId: "teamboard-business", units: { members: 51 } },
			lines: [["members", 51, 1096.5]],
			total: 1096.5,
		},
		{
			// 251 × 19.25, half of it off: 2415.875 rounds up
			basket: { planId: "teamboard-business", units: { members: 251 }, couponId: "nonprofit" },
			lines: [["members", 251, 4831.75]],
			discount: 2415.88,
			total: 2415.87,
		},
		{
			// 60 × 206.40
			basket: { planId: "teamboard-business", billingPeriod: "ANNUALLY", units: { members: 60 } },
			lines: [["members", 60, 12384]],
			total: 12384,
		},
		{ basket: { planId: "teamboard-free", units: { members: 3 } }, lines: [], total: 0 },
	],
	"usage-api": [
		{
			// The first thousand messages are free.
			basket: { planId: "courier-on-demand", units: { messages: 1000 } },
			lines: [
				["courier-on-demand", 1, 5],
				["messages", 1000, 0],
			],
			total: 5,
		},
		{
			// 11 345 × 0.00075 = 8.50875
			basket: { planId: "courier-on-demand", units: { messages: 12345 } },
			lines: [
				["courier-on-demand", 1, 5],
				["messages", 12345, 8.51],
			],
			total: 13.51,
		},
		{
			// 99 000 × 0.00075 = 74.25; 10 + 900 000 × 0.00055 = 505; 500 000 × 0.00033 = 165
			basket: { planId: "courier-on-demand", units: { messages: 1_500_000 } },
			lines: [
				["courier-on-demand", 1, 5],
				["messages", 1_500_000, 744.25],
			],
			total: 749.25,
		},
		{
			// 2.5 billion bytes are 2384.2 MB, so 2385, so 3 blocks of a thousand; 101 lookups reach the second step.
			basket: { planId: "courier-on-demand", units: { attachments: 2_500_000_000, lookups: 101 } },
			lines: [
				["courier-on-demand", 1, 5],
				["attachments", 2385, 1.2],
				["lookups", 101, 12],
			],
			total: 18.2,
		},
		{
			basket: { planId: "courier-on-demand", units: { lookups: 5000 } },
			lines: [
				["courier-on-demand", 1, 5],
				["lookups", 5000, 90],
			],
			total: 95,
		},
		{
			basket: { planId: "courier-on-demand", units: { lookups: 0 } },
			lines: [
				["courier-on-demand", 1, 5],
				["lookups", 0, 0],
			],
			total: 5,
		},
	],
	"credits-ai": [
		{ basket: { planId: "quill-plus" }, lines: [["quill-plus", 1, 20]], total: 20 },
		{
			// Two boosts, and 2001 sparks are three started thousands.
			basket: { planId: "quill-plus", addons: { "quill-boost": 2 }, units: { sparks: 2001 } },
			lines: [
				["quill-plus", 1, 20],
				["sparks", 2001, 12],
				["quill-boost", 2, 30],
			],
			total: 62,
		},
		{
			// 192 + 10 × 3.50
			basket: { planId: "quill-plus", billingPeriod: "ANNUALLY", units: { sparks: 10_000 } },
			lines: [
				["quill-plus", 1, 192],
				["sparks", 10_000, 35],
			],
			total: 227,
		},
		{
			// 350 sparks beyond the 10 000 that are granted are four started hundreds.
			basket: { planId: "quill-plus", units: { "sparks used": 10_350 } },
			lines: [
				["quill-plus", 1, 20],
				["sparks beyond", 350, 2],
			],
			total: 22,
		},
		{
			basket: { planId: "quill-plus", units: { "sparks used": 10_000 } },
			lines: [
				["quill-plus", 1, 20],
				["sparks beyond", 0, 0],
			],
			total: 20,
		},
	],
	freemium: [
		{ basket: { planId: "vault-free" }, lines: [], total: 0 },
		{
			// The one-off set-up fee next to the first month.
			basket: { planId: "vault-home", addons: { "vault-history": 1, "vault-storage": 3 } },
			lines: [
				["vault-home", 1, 4.99],
				["vault-home", 1, 3],
				["vault-history", 1, 2.49],
				["vault-storage", 3, 5.97],
			],
			total: 16.45,
			currency: "eur",
		},
		{
			basket: { planId: "vault-home", billingPeriod: "ANNUALLY" },
			lines: [
				["vault-home", 1, 49.9],
				["vault-home", 1, 0],
			],
			total: 49.9,
			currency: "eur",
		},
		{
			// 149.50 + 24.90 + 79.95
			basket: {
				planId: "vault-office",
				billingPeriod: "ANNUALLY",
				addons: { "vault-history": 1, "vault-legal-hold": 1 },
			},
			lines: [
				["vault-office", 1, 149.5],
				["vault-history", 1, 24.9],
				["vault-legal-hold", 1, 79.95],
			],
			total: 254.35,
			currency: "eur",
		},
	],
	enterprise: [
		{
			// 100 × 18 + 20 × 15.50, and the minimum in advance
			basket: { planId: "observatory-enterprise", units: { hosts: 120 } },
			lines: [
				["observatory-enterprise", 1, 1250],
				["hosts", 120, 2110],
				["observatory-enterprise", null, 2500],
			],
			total: 5860,
		},
		{
			// 1800 + 400 × 15.50 + 100 × 12.25; 3.4 million traces are four started millions; 242 GB are 25 tens.
			basket: {
				planId: "observatory-enterprise",
				units: { hosts: 600, traces: 3_400_001, "logs used": 742 },
				drawsOnMinimum: true,
			},
			lines: [
				["observatory-enterprise", 1, 1250],
				["hosts", 600, 9225],
				["traces", 3_400_001, 5.08],
				["logs beyond", 242, 23.75],
				["minimum drawn on", null, -28.83],
			],
			total: 10475,
		},
		{
			// 3810 of usage against a minimum of 2500
			basket: {
				planId: "observatory-enterprise",
				units: { hosts: 10, traces: 3_000_000_000, "logs used": 500 },
				drawsOnMinimum: true,
			},
			lines: [
				["observatory-enterprise", 1, 1250],
				["hosts", 10, 180],
				["traces", 3_000_000_000, 3810],
				["logs beyond", 0, 0],
				["minimum drawn on", null, -2500],
			],
			total: 2740,
		},
	],
};

describe.each([...catalogueNames])("totals of %s", (name) => {
	const named = examples[name].map((example) => [JSON.stringify(example.basket), example] as const);
	test.each(named)("%s", (_, { basket, currency = "usd", lines, ...sums }) => {
		expect(quote(at(name), basket)).toEqual({
			// A price list without a price has no currency of its own.
			currency,
			lines: [...lines],
			...sums,
		});
	});
});

describe("POST /subscriptions bills in advance", () => {
	const sales: ReadonlyArray<[CatalogueName, object, object]> = [
		[
			"seats",
			{
				planId: "teamboard-standard",
				billingPeriod: "MONTHLY",
				charges: [{ type: "FEATURE", id: "members", quantity: 7 }],
			},
			{ currency: "usd", subtotal: 69.93, total: 69.93 },
		],
		[
			"seats",
			{
				planId: "teamboard-standard",
				billingPeriod: "ANNUALLY",
				billingCountryCode: "DE",
				charges: [{ type: "FEATURE", id: "members", quantity: 10 }],
			},
			{ currency: "eur", subtotal: 911, total: 911 },
		],
		[
			"seats",
			{
				planId: "teamboard-business",
				billingPeriod: "MONTHLY",
				trialOverrideConfiguration: { isTrial: false },
				charges: [{ type: "FEATURE", id: "members", quantity: 51 }],
				appliedCoupon: { couponId: "nonprofit" },
				billingInformation: { taxPercentage: 19 },
			},
			// 548.25 taxed with 104.1675
			{ currency: "usd", subtotal: 1096.5, discount: 548.25, tax: 104.17, total: 652.42 },
		],
		["usage-api", { planId: "courier-on-demand" }, { currency: "usd", subtotal: 5, total: 5 }],
		[
			"credits-ai",
			{
				planId: "quill-plus",
				billingPeriod: "MONTHLY",
				addons: [{ id: "quill-boost", quantity: 2 }],
				charges: [{ type: "CREDIT", id: "sparks", quantity: 2001 }],
			},
			{ currency: "usd", subtotal: 62, total: 62 },
		],
		[
			"freemium",
			{
				planId: "vault-home",
				billingPeriod: "MONTHLY",
				addons: [
					{ id: "vault-history", quantity: 1 },
					{ id: "vault-storage", quantity: 3 },
				],
			},
			{ currency: "eur", subtotal: 16.45, total: 16.45 },
		],
		[
			"freemium",
			{
				planId: "vault-office",
				billingPeriod: "ANNUALLY",
				addons: [
					{ id: "vault-history", quantity: 1 },
					{ id: "vault-legal-hold", quantity: 1 },
				],
			},
			{ currency: "eur", subtotal: 254.35, total: 254.35 },
		],
	];
	test.each(sales)("%s %j", async (name, sale, invoice) => {
		const ours = at(name);
		const customerId = `customer-${Bun.hash(JSON.stringify(sale))}`;
		expect((await ours.call("POST", "/customers", { body: { id: customerId } })).status).toBe(201);
		const sold = await ours.call("POST", "/subscriptions", { body: { customerId, ...sale } });
		expect({ status: sold.status, code: sold.body.code }).toEqual({ status: 201, code: undefined });
		const { body } = await ours.call("GET", `/customers/${customerId}/invoices`);
		expect(body.data).toEqual([expect.objectContaining(invoice)]);
	});

	test("refuses fewer seats than the plan sells", async () => {
		const ours = at("seats");
		await ours.call("POST", "/customers", { body: { id: "small" } });
		const { status, body } = await ours.call("POST", "/subscriptions", {
			body: {
				customerId: "small",
				planId: "teamboard-business",
				billingPeriod: "MONTHLY",
				charges: [{ type: "FEATURE", id: "members", quantity: 2 }],
			},
		});
		expect([status, body.code]).toEqual([400, "InvalidQuantity"]);
	});
});
