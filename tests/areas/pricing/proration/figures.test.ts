import { expect, setDefaultTimeout, test } from "bun:test";
import { checkRates } from "../../../../src/areas/invoices/check/operations.rates";
import { invoiceLines } from "../../../../src/areas/invoices/table";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import type { Work } from "../../../../src/kernel/work";
import { flat, perUnit, type Till, till, units } from "../../subscriptions/billing";

setDefaultTimeout(60_000);

const drift = ({ transactions, actor }: Till): string[] =>
	transactions.read(actor, (work) => [...checkRates(work), ...checkSubscriptionBills(work)]);

/** Sells one fee by the months of the calendar, on 11 February at noon. `more` are the terms of each level. */
async function february(more: {
	readonly environment?: object;
	readonly version?: object;
	readonly charge?: object;
	readonly subscription?: object;
}) {
	const ours = await till("2026-02-11T12:00:00Z");
	await ours.insist("PATCH", "/environments/current", { billingAnchor: "START_OF_THE_MONTH", ...more.environment });
	await ours.plan("pro", [flat({ month: 100 }, more.charge)], more.version);
	const id = await ours.buy("pro", more.subscription);
	return { ...ours, id };
}

const charged = { BY_TIME: 62.5, BY_DAY: 64.29, THIRTY_DAY_MONTH: 66.67, NONE: 100 };
const credited = { BY_TIME: 12.5, BY_DAY: 10.71, THIRTY_DAY_MONTH: 16.67, NONE: 0 };
const modes = ["BY_TIME", "BY_DAY", "THIRTY_DAY_MONTH", "NONE"] as const;
const levels = ["environment", "version", "charge", "subscription"] as const;

test.each(modes.flatMap((mode) => levels.map((level) => [mode, level] as const)))(
	"2.5: %s of the %s charges and credits a part of February",
	async (prorationMode, level) => {
		const ours = await february({ [level]: { prorationMode } });
		await ours.advance("2026-02-25T12:00:00Z");
		await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE", prorate: true });
		const credit = credited[prorationMode];
		expect(await ours.books()).toEqual([
			`2026-02-11T12:00: ${charged[prorationMode]} = pro ${charged[prorationMode]}`,
			...(credit === 0 ? [] : [`2026-02-25T12:00: -${credit} = Unused time: pro -${credit}`]),
		]);
		expect(drift(ours)).toEqual([]);
	},
);

test("2.5: the charge's mode goes before the subscription's, that before the version's, and that before the environment's", async () => {
	const ours = await february({
		environment: { prorationMode: "NONE" },
		version: { prorationMode: "BY_DAY" },
		charge: { prorationMode: "THIRTY_DAY_MONTH" },
		subscription: { prorationMode: "NONE" },
	});
	expect(await ours.books()).toEqual(["2026-02-11T12:00: 66.67 = pro 66.67"]);
	await ours.customer("other");
	await ours.insist("POST", "/subscriptions", { customerId: "other", planId: "pro" });
	expect(await ours.books("other")).toEqual(["2026-02-11T12:00: 66.67 = pro 66.67"]);
});

const days = { environment: { prorationMode: "BY_DAY" } };

test("2.5: the day of a change belongs to the new terms, for charge and credit alike", async () => {
	const ours = await february(days);
	await ours.advance("2026-02-20T18:00:00Z");
	await ours.change(ours.id, { priceOverrides: [{ baseCharge: true, amount: 200 }] });
	expect(await ours.books()).toEqual([
		"2026-02-11T12:00: 64.29 = pro 64.29",
		"2026-02-20T18:00: 32.15 = Unused time: pro -32.14 + pro 64.29",
	]);
	expect(drift(ours)).toEqual([]);
});

test("2.5: an end on the day of the start leaves that day used", async () => {
	const ours = await february(days);
	await ours.advance("2026-02-11T15:00:00Z");
	await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE", prorate: true });
	expect((await ours.books()).at(-1)).toBe("2026-02-11T15:00: -60.71 = Unused time: pro -60.71");
	expect(drift(ours)).toEqual([]);
});

test("3.4: an end at the first instant of a period uses its day, like any end on that day", async () => {
	const ours = await till("2026-02-11T12:00:00Z");
	await ours.plan("pro", [flat({ month: 28 }, { prorationMode: "BY_DAY" })]);
	const id = await ours.buy("pro");
	await ours.cancel(id, { cancellationTime: "IMMEDIATE", prorate: true });
	expect((await ours.books()).map((text) => text.split(" = ")[0])).toEqual([
		"2026-02-11T12:00: 28",
		"2026-02-11T12:00: -27",
	]);
	expect(drift(ours)).toEqual([]);
});

/** Sells seats for 10.00 each from 1 April, by the terms, and changes their number on the given days. */
async function seats(terms: object, ...changes: ReadonlyArray<readonly [day: number, quantity: number]>) {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [perUnit("seats", { month: 10 }, terms)]);
	const id = await ours.buy("pro", units("seats", 5));
	for (const [day, quantity] of changes) {
		await ours.advance(`2026-04-${String(day).padStart(2, "0")}T00:00:00Z`);
		await ours.change(id, { ...units("seats", quantity), scheduleStrategy: "IMMEDIATE" });
	}
	return { ...ours, id };
}

test("2.5: without proration, units above the highest charged number are charged once", async () => {
	const ours = await seats({ prorationMode: "NONE" }, [5, 8], [10, 5], [16, 8]);
	expect((await ours.books()).map((text) => text.split(" = ")[0])).toEqual([
		"2026-04-01: 50",
		"2026-04-05: 30",
		"2026-04-10: 0",
		"2026-04-16: 0",
	]);
	expect(drift(ours)).toEqual([]);
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-05-01: 80 = 8 Seats (pro) 80");
});

test("5: without refunds, added units cost their part, removed ones are not credited, and units paid before cost nothing", async () => {
	const ours = await seats({ refundsUnusedTime: false }, [16, 8], [21, 5], [26, 9]);
	expect((await ours.books()).map((text) => text.split(" = ")[0])).toEqual([
		"2026-04-01: 50",
		"2026-04-16: 15",
		"2026-04-21: 0",
		"2026-04-26: 1.67",
	]);
	await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE", prorate: true });
	expect((await ours.books()).length).toBe(4);
	expect(drift(ours)).toEqual([]);
});

test("2.5: a fee without refunds is charged for its part and never credited", async () => {
	const ours = await february({ charge: { refundsUnusedTime: false } });
	await ours.advance("2026-02-25T12:00:00Z");
	await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE", prorate: true });
	expect(await ours.books()).toEqual(["2026-02-11T12:00: 62.5 = pro 62.5"]);
});

test.each([{ refundsUnusedTime: false }, { prorationMode: "NONE" }])(
	"a fee that is never credited (%j) is not charged again when the discount or the tax changes with another charge",
	async (terms) => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.coupon("half", { percent: 50 });
		await ours.coupon("five", { amounts: [5] });
		await ours.plan("pro", [flat({ month: 100 }, terms), perUnit("seats", { month: 30 })]);
		const id = await ours.buy("pro", units("seats", 1));
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, { ...units("seats", 2), appliedCoupon: { couponId: "half" } });
		await ours.advance("2026-04-21T00:00:00Z");
		await ours.change(id, { ...units("seats", 3), billingInformation: { taxPercentage: 10 } });
		await ours.change(id, { ...units("seats", 4), appliedCoupon: { couponId: "five" } });
		expect((await ours.books()).slice(1)).toEqual([
			"2026-04-16: 0 less 15 = Unused time: Seats (pro) -15 + 2 Seats (pro) 30",
			"2026-04-21: 6.5 less 5 tax 1.5 = 2 Unused time: Seats (pro) -20 + 3 Seats (pro) 30",
			"2026-04-21: 25.66 less -13.33 tax 2.33 = 3 Unused time: Seats (pro) -30 + 4 Seats (pro) 40",
		]);
		expect(drift(ours)).toEqual([]);
	},
);

test("a fee that is never credited is not charged again when the taxes change with another charge", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.insist("POST", "/taxes", { id: "vat", displayName: "VAT", percentage: 10 });
	await ours.plan("pro", [flat({ month: 100 }, { refundsUnusedTime: false }), perUnit("seats", { month: 30 })]);
	const id = await ours.buy("pro", units("seats", 1));
	await ours.advance("2026-04-16T00:00:00Z");
	await ours.change(id, { ...units("seats", 2), taxes: ["vat"] });
	expect((await ours.books()).slice(1)).toEqual([
		"2026-04-16: 18 tax 3 = Unused time: Seats (pro) -15 + 2 Seats (pro) 30",
	]);
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-05-01: 176 tax 16 = pro 100 + 2 Seats (pro) 60");
	expect(drift(ours)).toEqual([]);
});

test("a mode that changes applies to charges from then on, and credits reverse what was charged", async () => {
	const ours = await february({});
	await ours.change(ours.id, { prorationMode: "BY_DAY" });
	expect(await ours.insist("GET", `/subscriptions/${ours.id}`)).toMatchObject({ prorationMode: "BY_DAY" });
	await ours.advance("2026-02-25T12:00:00Z");
	await ours.change(ours.id, { priceOverrides: [{ baseCharge: true, amount: 200 }] });
	expect((await ours.books()).at(-1)).toBe("2026-02-25T12:00: 16.07 = Unused time: pro -12.5 + pro 28.57");
	expect(drift(ours)).toEqual([]);
	await ours.change(ours.id, { prorationMode: null });
	expect(await ours.insist("GET", `/subscriptions/${ours.id}`)).not.toHaveProperty("prorationMode");
});

const plant = (ours: Till, planted: (work: Work) => void) => ours.transactions.write(ours.actor, planted);

test("the check finds a share that was planted", async () => {
	const ours = await february(days);
	plant(ours, ({ tx }) => {
		const [line] = tx.select().from(invoiceLines).all();
		if (!line?.basis?.share) throw new Error("the line has a share");
		tx.update(invoiceLines)
			.set({ basis: { ...line.basis, share: { ...line.basis.share, partMs: 86_400_000 } } })
			.run();
	});
	expect(drift(ours).join()).toContain("expected 1555200000 / 2419200000 ms");
});

test.each([
	["a mode", `UPDATE billing_charges SET proration_mode = 'BY_TIME'`],
	["a period", `UPDATE charge_periods SET whole_starts_at = whole_starts_at - 86400000`],
	["an amount", `UPDATE invoice_lines SET amount = '64.28'`],
])("the check finds %s that was planted", async (_, planted) => {
	const ours = await february(days);
	expect(drift(ours)).toEqual([]);
	plant(ours, ({ tx }) => tx.run(planted));
	expect(drift(ours).join()).toContain(ours.id);
});
