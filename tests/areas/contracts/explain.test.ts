import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Cycle, RatedItem } from "../../../src/areas/contracts/billing/rules.cycles";
import { lineOf } from "../../../src/areas/contracts/billing/rules.schedule";
import { rowModels } from "../../../src/areas/pricing/models/contract-rows";
import { convertUnits } from "../../../src/areas/pricing/unit-conversion";
import type { Instant } from "../../../src/kernel/clock";
import { type Decimal, toDecimal, zero } from "../../../src/kernel/decimal";
import { shares } from "../pricing/arbitrary";
import { expectExplained } from "../pricing/explained";
import { decimals } from "../pricing/samples";
import { draftWorld, fee, items } from "./support";

const positive = fc.integer({ min: 1, max: 400 }).map((value) => toDecimal(value));

const rowLists = fc
	.tuple(fc.option(decimals(400)), fc.array(fc.tuple(fc.option(decimals(60)), positive), { maxLength: 4 }))
	.map(([quantity, parts]) => {
		let reached = 0;
		return parts.map(([price, width], at) => {
			const from = toDecimal(reached);
			reached += Number(width);
			return { price, quantity, from, to: at === parts.length - 1 ? null : toDecimal(reached), packageSize: width };
		});
	});

const itemsOf = fc.record({
	model: fc.constantFrom(...rowModels),
	rows: rowLists,
	isPayAsYouGo: fc.boolean(),
	currency: fc.constantFrom("usd", "jpy", "kwd"),
	discount: fc.option(fc.constantFrom<Decimal>(toDecimal(10), toDecimal("12.5"), toDecimal(100))),
	tax: fc.option(fc.constantFrom<Decimal>(toDecimal(19), toDecimal("7.7"))),
	share: fc.option(shares),
	reported: decimals(700),
	billed: fc.oneof(fc.constant(zero), decimals(700)),
	unitTransformation: fc.option(
		fc.record({ divide: positive, round: fc.constantFrom("UP" as const, "DOWN" as const) }),
	),
});

test("the arithmetic yields the figures of a contract's line, whatever it prices", () => {
	fc.assert(
		fc.property(itemsOf, ({ model, isPayAsYouGo, share, reported, billed, unitTransformation, ...terms }) => {
			const item: RatedItem = {
				...terms,
				id: "item",
				name: "Item",
				itemName: null,
				pricingModelId: isPayAsYouGo ? `usage-${model}` : model,
				billingCycleUnit: "monthly",
				billingCycleCount: 1,
				paymentTime: "IN_ADVANCE",
				netTerms: null,
				separateInvoice: false,
				prorateCutCycles: true,
				legalEntityId: "issuer",
				paymentAccountId: "account",
				activationStartAt: null,
				activationEndAt: null,
				cyclesFrom: null,
				billedUntil: null,
				billed: null,
				takenOutAt: null,
			};
			const cycle: Cycle = { start: 0 as Instant, end: 1 as Instant, share: share ?? { partMs: 1, wholeMs: 1 } };
			const quantity = convertUnits(reported, unitTransformation);
			const usage = isPayAsYouGo ? { reported, quantity, unitTransformation, billed } : null;
			const line = lineOf(item, cycle, usage);
			expect(line.basis).not.toBeNull();
			if (line.basis)
				expectExplained({ ...line, amount: line.subTotal, taxPercentage: item.tax }, line.basis, item.currency);
		}),
		{ numRuns: 600 },
	);
});

test("its line tells the rows, the part of the cycle with its instants, discount and tax", async () => {
	const here = await draftWorld();
	const window = { activationStartDate: "2026-02-01T00:00:00Z", activationEndDate: "2026-03-15T00:00:00Z" };
	const line = { ...fee, discount: 10, tax: 20, prorateCutCycles: true };
	await here.call("POST", items, { body: { items: [line], ...window } });
	await here.call("POST", "/contracts/C-1/billing/publish");
	await here.advance("2026-05-15T00:00:00Z");
	const { body: listed } = await here.call("GET", "/customers/acme/invoices");
	const cut = listed.data.find(({ total }: { total: number }) => total !== 108);
	const { body } = await here.call("GET", `/customers/acme/invoices/${cut.invoiceId}/lines/1/explain`);
	expect(body.data).toMatchObject({
		description: "Fee",
		price: null,
		contractItem: {
			pricingModel: "flat",
			isPayAsYouGo: false,
			rows: [{ quantity: 1, price: 100, from: null, to: null, packageSize: null }],
		},
		usage: null,
		periodStart: "2026-03-01T00:00:00.000Z",
		periodEnd: "2026-03-15T00:00:00.000Z",
		proration: { from: "2026-03-01T00:00:00.000Z", to: "2026-03-15T00:00:00.000Z", partMs: 14 * 86_400_000 },
		steps: [
			{ of: "cost", arithmetic: "100 * 1", value: 100 },
			{ of: "amount", arithmetic: "round(100 * 1209600000 / 2678400000, 2)", value: 45.16 },
			{ of: "discount", arithmetic: "round(45.16 * 10 / 100, 2)", value: 4.52 },
			{ of: "tax", arithmetic: "round((45.16 - 4.52) * 20 / 100, 2)", value: 8.13 },
			{ of: "total", value: 48.77 },
		],
	});
});
