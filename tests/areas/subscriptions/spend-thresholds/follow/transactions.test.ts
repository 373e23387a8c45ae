import { expect, setDefaultTimeout, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { site } from "../site";

setDefaultTimeout(60_000);

const bounded = { percentRate: 1.2, fixedFee: 0.1, minimum: 0.5, maximum: 10 };

/** Uses values second by second from 10 April 2026, and returns the amounts of the invoices at once and after the period. */
async function charged(transactionPrice: object, values: ReadonlyArray<readonly [n: number, at?: string]>, more = {}) {
	const ours = await site();
	const pricePeriods = [{ billingPeriod: "MONTHLY", transactionPrice }];
	await ours.plan("pay", [
		{ billingModel: "USAGE_BASED", featureId: "calls", paymentTime: "AT_EVENT", pricePeriods, ...more },
	]);
	await ours.buy("pay");
	await ours.advance("2026-04-10T00:00:00Z");
	for (const [nth, [n, at]] of values.entries()) {
		await ours.use("calls", n, at);
		await ours.advance(new Date(Date.parse("2026-04-10T00:00:01Z") + nth * 1000).toISOString());
	}
	const amounts = async () => (await ours.books()).map((text) => Number(text.split(": ")[1]?.split(" ")[0]));
	const atOnce = await amounts();
	await ours.advance("2026-05-01T00:00:00Z");
	expect(ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)])).toEqual([]);
	return { atOnce, afterwards: await amounts() };
}

const figures = [[20], [250], [2000]] as const;

for (const [name, price, values, expected] of [
	["within their bounds", bounded, figures, [0.5, 3.1, 10]],
	["after a free one", { ...bounded, freeTransactions: 1 }, figures, [3.1, 10]],
	["above a free amount", { percentRate: 1.2, fixedFee: 0.1, freeAmount: 100 }, [[20], [250]], [2.14]],
	["by a formula", { formula: "n * 1.2" }, [[0.0134], [0.0271], [1.5]], [0.02, 0.03, 1.8]],
	["and nothing for a value below 0", bounded, [[20], [-5], [3]], [0.5, 0.5]],
	// The earlier event is the free one, so that each other one costs its price.
	["late", { ...bounded, freeTransactions: 1 }, [[250], [20, "2026-04-09T00:00:00Z"]], [3.1]],
] as const)
	test(`each transaction is charged at once ${name} (2.7, 2.10, 2.11)`, async () => {
		const { atOnce, afterwards } = await charged(price, values);
		expect(atOnce).toEqual([...expected]);
		expect(afterwards).toEqual([...expected]);
	});

test("transactions share the invoice of the period with PERIOD_END (2.7, 2.10)", async () => {
	const { atOnce, afterwards } = await charged(bounded, figures, { eventInvoicing: "PERIOD_END" });
	expect({ atOnce, afterwards }).toEqual({ atOnce: [], afterwards: [13.6] });
});
