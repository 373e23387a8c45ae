import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import type { Answer } from "../../support/world";
import { isRefusal } from "../packages/guards";
import { scenario } from "./scenario";

const mine = scenario();
const seats = (quantity: number) => ({ charges: [{ id: "seats", quantity, type: "FEATURE" }] });
const preview = async (body: object): Promise<Answer["body"]> => {
	const { status, body: answer } = await mine.post("/subscriptions/preview", body);
	if (status !== 200) expect(answer).toEqual({ status: 200 });
	return answer.data;
};

/** Every row of every table, except for the number of writes, which also counts writes without a change. */
const everything = () =>
	mine.world.transactions.read(mine.world.actor, ({ tx }) =>
		tx
			.all<{ name: string }>(sql`select name from main.sqlite_master where type = 'table' order by name`)
			.filter(({ name }) => name !== "main_revision")
			.map(({ name }) => [name, tx.all(sql.raw(`select * from main."${name}"`))] as const),
	);

test("shows the amount due at once and each period's price, with all keys", async () => {
	const customerId = await mine.customer();
	const shown = await preview({
		customerId,
		planId: "pro",
		billingPeriod: "MONTHLY",
		...seats(3),
		addons: [{ id: "extra", quantity: 2 }],
		appliedCoupon: { couponId: "TEN" },
		billingInformation: { taxPercentage: 19 },
	});
	const line = (description: string, quantity: number, unitPrice: number, subTotal: number) => ({
		description,
		currency: "usd",
		quantity,
		unitPrice,
		subTotal,
	});
	const period = { start: "2026-01-31T00:00:00.000Z", end: "2026-02-28T00:00:00.000Z" };
	const invoice = {
		subTotal: 41.66,
		discount: 4.17,
		tax: 7.13,
		total: 44.62,
		currency: "usd",
		billingPeriodRange: period,
		discountDetails: { code: "TEN", percentage: 10 },
		discounts: [{ amount: 4.17, currency: "usd", description: "TEN" }],
		lines: [line("Pro", 1, 20, 20), line("Seats (Pro)", 3, 5, 15), line("extra", 2, 3.33, 6.66)],
	};
	expect(shown).toEqual({
		immediateInvoice: invoice,
		recurringInvoice: invoice,
		billingPeriodRange: period,
		freeItems: [],
		hasScheduledUpdates: false,
		isPlanDowngrade: false,
	});
});

const nothing = { subTotal: 0, total: 0, tax: 0, discount: 0, discounts: [], lines: [] };

test("shows nothing due at once for a trial, a later or past start, and a free plan", async () => {
	const customerId = await mine.customer();
	for (const [body, recurring] of [
		[{ planId: "try" }, 30],
		[{ planId: "basic", startDate: "2026-02-10T00:00:00Z" }, 9.99],
		[{ planId: "basic", startDate: "2026-01-10T00:00:00Z" }, 9.99],
		[{ planId: "free" }, undefined],
		[{ planId: "custom" }, undefined],
	] as const) {
		const shown = await preview({ customerId, ...body });
		expect(shown.immediateInvoice).toEqual(nothing);
		expect(shown.recurringInvoice?.total).toBe(recurring);
		expect(shown.hasScheduledUpdates).toBe("startDate" in body && body.startDate > "2026-02");
	}
});

test("shows a waiting downgrade as scheduled without an amount", async () => {
	const customerId = await mine.customer();
	await mine.provision({ customerId, planId: "slow-pro", billingPeriod: "MONTHLY" });
	mine.at("2026-02-14T00:00:00Z");
	const down = { customerId, planId: "slow-basic", billingPeriod: "MONTHLY" };
	expect(await preview(down)).toMatchObject({
		immediateInvoice: nothing,
		recurringInvoice: { total: 12 },
		billingPeriodRange: { start: "2026-02-28T00:00:00.000Z" },
		hasScheduledUpdates: true,
		isPlanDowngrade: true,
	});
	expect(await preview({ ...down, scheduleStrategy: "IMMEDIATE" })).toMatchObject({
		// Half of 12 less half of 35.
		immediateInvoice: { total: -11.5 },
		hasScheduledUpdates: false,
		isPlanDowngrade: true,
	});
});

test("shows a late renewal without running it", async () => {
	const customerId = await mine.customer();
	await mine.provision({ customerId, planId: "basic" });
	mine.at("2026-03-15T12:00:00Z");
	// Half of the month that began on the 28th of February is left: of 25, less half of 9.99.
	expect((await preview({ customerId, planId: "pro", billingPeriod: "MONTHLY" })).immediateInvoice.total).toBe(7.5);
	expect(await mine.bills(customerId)).toEqual(["2026-01-31 9.99 OPEN"]);
});

test("writes nothing at all", async () => {
	const customerId = await mine.customer();
	await mine.provision({ customerId, planId: "basic" });
	await preview({ customerId, planId: "free" });
	mine.at("2026-03-15T12:00:00Z");
	const before = everything();
	expect(before.length).toBeGreaterThan(20);
	await preview({
		customerId,
		planId: "pro",
		billingPeriod: "ANNUALLY",
		resourceId: "a-new-one",
		appliedCoupon: { discount: { percentOff: 7, name: "Deal" } },
	});
	await preview({ customerId, planId: "basic", scheduleStrategy: "END_OF_BILLING_PERIOD" });
	expect((await mine.post("/subscriptions/preview", { customerId, planId: "none" })).status).toBe(404);
	expect(everything()).toEqual(before);
});

const refused: Array<[object, number, string]> = [
	[{ planId: "basic" }, 400, "BadUserInput"],
	[{ customerId: "acme" }, 400, "BadUserInput"],
	[{ customerId: "acme", planId: "basic", metadata: {} }, 400, "BadUserInput"],
	[{ customerId: "acme", planId: "basic", id: "s" }, 400, "BadUserInput"],
	[
		{ customerId: "acme", planId: "basic", billableFeatures: [{ featureId: "calls", quantity: -1 }] },
		400,
		"BadUserInput",
	],
	[
		{ customerId: "acme", planId: "basic", billableFeatures: [{ featureId: "none", quantity: 1 }] },
		404,
		"FeatureNotFound",
	],
	[
		{ customerId: "acme", planId: "basic", billableFeatures: [{ featureId: "calls", quantity: 1 }] },
		404,
		"PriceNotFound",
	],
	[{ customerId: "nobody", planId: "basic" }, 404, "CustomerNotFound"],
	[{ customerId: "acme", planId: "none" }, 404, "PlanNotFound"],
	[{ customerId: "acme", planId: "draft" }, 400, "UnPublishedPackage"],
	[{ customerId: "acme", planId: "pro" }, 400, "BillingPeriodMissingError"],
	[
		{ customerId: "acme", planId: "basic", scheduleStrategy: "END_OF_BILLING_PERIOD" },
		400,
		"SchedulingAtEndOfBillingPeriod",
	],
];
test.each(refused)("rejects %j with %d %s, like a provision", async (body, status, code) => {
	isRefusal(await mine.post("/subscriptions/preview", body), status, code);
});

test("equals the later invoices, at once and with the next period", async () => {
	const plan = fc.oneof(
		fc.record({
			planId: fc.constant("pro"),
			billingPeriod: fc.constantFrom("MONTHLY", "ANNUALLY"),
			charges: fc.integer({ min: 1, max: 50 }).map((quantity) => [{ id: "seats", quantity, type: "FEATURE" }]),
			addons: fc.integer({ min: 0, max: 3 }).map((quantity) => (quantity === 0 ? [] : [{ id: "extra", quantity }])),
		}),
		fc.constantFrom<object>({ planId: "basic" }, { planId: "free" }),
	);
	const terms = fc.record(
		{
			appliedCoupon: fc.constantFrom(
				{ couponId: "TEN" },
				{ couponId: "FIVE" },
				{ discount: { percentOff: 33.3, name: "Deal" } },
			),
			billingInformation: fc.record(
				{
					taxPercentage: fc.integer({ min: 0, max: 2500 }).map((basis) => basis / 100),
					prorationBehavior: fc.constantFrom("INVOICE_IMMEDIATELY", "NONE"),
				},
				{ requiredKeys: [] },
			),
			billingCycleAnchor: fc.constantFrom("NOW", "UNCHANGED"),
		},
		{ requiredKeys: [] },
	);
	const bodies = fc.tuple(plan, terms).map(([sold, more]) => ({ ...sold, ...more }));
	const hours = fc.integer({ min: 0, max: 24 * 400 });
	const documents = async (customerId: string) => {
		const list = async (kind: string) =>
			(await mine.world.call("GET", `/customers/${customerId}/${kind}?limit=100`)).body.data as Answer["body"][];
		const signed = (sign: number) => (one: Answer["body"]) => ({
			subTotal: sign * one.subtotal,
			discount: sign * one.discount,
			tax: sign * one.tax,
			total: sign * one.total,
			lines: one.lineItems.map(({ description, amount }: Answer["body"]) => [description, sign * amount]),
		});
		return [...(await list("invoices")).map(signed(1)), ...(await list("credit-notes")).map(signed(-1))];
	};
	const shape = ({ subTotal, discount, tax, total, lines }: Answer["body"]) => ({
		subTotal,
		discount,
		tax,
		total,
		lines: lines.map((line: Answer["body"]) => [line.description, line.subTotal]),
	});
	const key = (document: object) => JSON.stringify(document, (_, value) => (Object.is(value, -0) ? 0 : value));

	await fc.assert(
		fc.asyncProperty(fc.option(bodies), hours, bodies, async (before, elapsed, body) => {
			mine.at("2026-01-31T00:00:00Z");
			const customerId = await mine.customer();
			if (before) await mine.provision({ customerId, ...before });
			mine.turn(customerId, new Date(Date.UTC(2026, 0, 31, elapsed)).toISOString());
			const shown = await preview({ customerId, ...body });
			const known = (await documents(customerId)).map(key);
			const { id, subscription } = await mine.provision({ customerId, ...body });
			const addedOneOffs = (await documents(customerId)).map(key);
			for (const one of known) addedOneOffs.splice(addedOneOffs.indexOf(one), 1);
			const immediate = shape(shown.immediateInvoice);
			expect(addedOneOffs).toEqual(immediate.lines.length === 0 ? [] : [key(immediate)]);
			if (subscription.currentBillingPeriodEnd === null) {
				expect(shown.recurringInvoice).toBeUndefined();
				return;
			}
			expect(shown.billingPeriodRange).toEqual({
				start: subscription.currentBillingPeriodStart,
				end: subscription.currentBillingPeriodEnd,
			});
			mine.turn(customerId, subscription.currentBillingPeriodEnd);
			const { latestInvoice } = await mine.get(id);
			const renewal = (await mine.world.call("GET", `/customers/${customerId}/invoices/${latestInvoice.billingId}`))
				.body.data;
			expect(renewal.issueDate).toBe(subscription.currentBillingPeriodEnd);
			expect({ subTotal: renewal.subtotal, total: renewal.total }).toEqual({
				subTotal: shown.recurringInvoice.subTotal,
				total: shown.recurringInvoice.total,
			});
		}),
		{ numRuns: 25 },
	);
}, 120_000);
