import { expect, setDefaultTimeout, test } from "bun:test";
import { findings } from "../../../../pricing/window-cost/findings";
import { flat } from "../../../billing";
import { sold, usd } from "../committed";

setDefaultTimeout(60_000);

test("usage that is charged at each event counts towards a commitment", async () => {
	const models = [
		{
			...{ billingModel: "USAGE_BASED", featureId: "tokens", paymentTime: "AT_EVENT" },
			pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 2, currency: "usd" } }],
		},
	];
	const ours = await sold([usd(500)], { models });
	await ours.use("tokens", 3000);
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-05-01: 500 = pro 300 + 3 Tokens (pro) 6 + Commitment 194");
	expect(findings(ours)).toEqual([]);
});

test("the increased price of a second term counts towards a commitment, whose amount stays", async () => {
	const term = { months: 1, upliftPercentage: 5 };
	const ours = await sold([usd(500)], { plan: { term } });
	await ours.advance("2026-06-01T00:00:00Z");
	const books = await ours.books();
	expect(books[1]).toBe("2026-05-01: 515 = pro 315 + Commitment 200");
	expect(books[2]).toEndWith("Commitment 185");
	expect(findings(ours)).toEqual([]);
});

test("a phase with charges of its own counts towards a commitment", async () => {
	const charges = { pricingType: "PAID", pricingModels: [flat({ month: 100 })] };
	const phases = [{ id: "ramp", duration: { unit: "MONTH", count: 1 }, charges }];
	const ours = await sold([usd(500)], { plan: { phases } });
	await ours.advance("2026-06-01T00:00:00Z");
	const books = await ours.books();
	expect(books[1]).toBe("2026-05-01: 700 = pro 300 + Commitment 400");
	expect(books[2]).toEndWith("Commitment 200");
	expect(findings(ours)).toEqual([]);
});

test("a change and an end have no earlier date while a commitment runs", async () => {
	const ours = await sold([usd(500)]);
	await ours.advance("2026-05-10T00:00:00Z");
	const before = await ours.books();
	const changed = await ours.call("PATCH", `/subscriptions/${ours.id}`, {
		body: { priceOverrides: [{ baseCharge: true, amount: 200 }], effectiveDate: "2026-05-05T00:00:00Z" },
	});
	expect(changed).toMatchObject({ status: 400, body: { code: "UnsupportedParameter" } });
	expect(changed.body.message).toStartWith("'effectiveDate': the commitments of all charges");
	const ended = await ours.call("POST", `/subscriptions/${ours.id}/cancel`, {
		body: { cancellationTime: "SPECIFIC_DATE", endDate: "2026-05-05T00:00:00Z", isBackdated: true },
	});
	expect(ended).toMatchObject({ status: 400, body: { code: "UnsupportedParameter" } });
	expect(await ours.books()).toEqual(before);
});

// The fee of the new cycle began at the request, and the window with the payment: it counted nowhere.
test("a new billing cycle that waits for its payment is refused; without a commitment, or at once, it is not", async () => {
	const ours = await sold([usd(500)]);
	await ours.advance("2026-04-29T12:00:00Z");
	const path = `/subscriptions/${ours.id}`;
	const body = { billingCycleAnchor: "NOW", awaitPaymentConfirmation: true };
	const refused = await ours.call("PATCH", path, { body });
	expect(refused).toMatchObject({ status: 400, body: { code: "UnsupportedParameter" } });
	const added = await ours.call("PATCH", path, { body: { ...body, commitments: [] } });
	expect(added).toMatchObject({ status: 400, body: { code: "UnsupportedParameter" } });
	await ours.insist("PATCH", path, { billingCycleAnchor: "NOW" });
	await ours.advance("2026-05-29T12:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-04-01: 300 = pro 300",
		"2026-04-29T12:00: 475 = Unused time: pro -15 + pro 300 + Commitment 190",
		"2026-05-29T12:00: 500 = pro 300 + Commitment 200",
	]);
});

// The window would be settled without what the change charges, which the customer pays later.
test("a change that waits for its payment is refused if a window can end meanwhile", async () => {
	const ours = await sold([usd(500)]);
	const path = `/subscriptions/${ours.id}`;
	const body = { priceOverrides: [{ baseCharge: true, amount: 400 }], awaitPaymentConfirmation: true };
	await ours.advance("2026-04-30T01:00:00Z");
	const refused = await ours.call("PATCH", path, { body });
	expect(refused).toMatchObject({ status: 400, body: { code: "UnsupportedParameter" } });
	expect(refused.body.message).toContain("a window of the commitments ends at 2026-05-01T00:00:00.000Z");
	await ours.advance("2026-05-16T12:00:00Z");
	await ours.insist("PATCH", path, body);
	const invoices: Array<{ invoiceId: string; total: number }> = await ours.insist("GET", "/customers/acme/invoices");
	const { invoiceId } = invoices.find(({ total }) => total === 50) ?? {};
	await ours.insist("POST", `/customers/acme/invoices/${invoiceId}/payments`, { amount: 50 });
	await ours.advance("2026-06-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-06-01: 550 = pro 400 + Commitment 150");
	expect(findings(ours)).toEqual([]);
});
