import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { checkDocuments } from "../../../../../src/areas/invoices/check/operations.check";
import { checkRates } from "../../../../../src/areas/invoices/check/operations.rates";
import { checkInvoices } from "../../../../../src/areas/invoices/check/operations.sums";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { slowRuns } from "../../../../support/runs";
import { flat, type Till, till, used } from "../../../subscriptions/billing";

setDefaultTimeout(120_000);

const drift = ({ transactions, actor }: Till): string[] =>
	transactions.read(actor, (work) => [
		...checkInvoices(work),
		...checkDocuments(work),
		...checkRates(work),
		...checkSubscriptionBills(work),
	]);

/** A purchase: a fee in cents, or calls at 0.03 each, with a coupon, a tax and the terms of its invoice. */
const purchase = fc.record({
	feeCents: fc.integer({ min: 0, max: 9999 }),
	calls: fc.option(fc.integer({ min: 0, max: 999 }), { nil: null }),
	percentOff: fc.constantFrom(0, 10, 33, 100),
	taxTenths: fc.constantFrom(0, 70, 190, 200),
	days: fc.constantFrom(undefined, 0, 30),
	currency: fc.constantFrom("usd", "eur"),
	method: fc.constantFrom(undefined, "INVOICE"),
});
type Purchase = typeof purchase extends fc.Arbitrary<infer Value> ? Value : never;

/** Rounds a ÷ b half up, in whole cents. */
const halfUp = (a: bigint, b: bigint): bigint => (2n * a + b) / (2n * b);

/** The gross amount of a bill, in cents. It uses nothing of the code. */
function centsOf({ feeCents, calls, percentOff, taxTenths }: Purchase): bigint {
	const amount = calls === null ? BigInt(feeCents) : BigInt(calls) * 3n;
	const net = amount - halfUp(amount * BigInt(percentOff), 100n);
	return net + halfUp(net * BigInt(taxTenths), 1000n);
}

/** Usage that costs nothing has no line, so it is on no invoice by itself. */
const isBilled = ({ calls }: Purchase): boolean => calls !== 0;

const termsOf = ({ days = 0, currency, method }: Purchase): string => [currency, days, method].join();

async function sell(purchases: readonly Purchase[], invoiceGrouping: "SEPARATE" | "CONSOLIDATED"): Promise<Till> {
	const ours = await till("2026-03-01T00:00:00Z");
	await ours.customer("group", { invoiceGrouping });
	for (const percent of [10, 33, 100]) await ours.coupon(`OFF-${percent}`, { percent });
	for (const [at, one] of purchases.entries()) {
		const { feeCents, calls, percentOff, taxTenths, days, currency, method } = one;
		const id = `c${at}`;
		await ours.customer(id, { parentCustomerId: "group", billsTo: "PARENT" });
		const model =
			calls === null ? flat({ month: [feeCents / 100, currency] }) : used("calls", { month: [0.03, currency] });
		await ours.plan(`p${at}`, [model]);
		await ours.buy(`p${at}`, {
			customerId: id,
			...(method && { paymentCollectionMethod: method }),
			...(percentOff > 0 && { appliedCoupon: { couponId: `OFF-${percentOff}` } }),
			billingInformation: {
				...(taxTenths > 0 && { taxPercentage: taxTenths / 10 }),
				...(days !== undefined && { invoiceDaysUntilDue: days }),
			},
		});
		if (calls) await ours.use("calls", calls, undefined, id);
	}
	await ours.advance("2026-04-01T00:00:00Z");
	return ours;
}

interface Shown {
	readonly currency: string;
	readonly total: number;
	readonly issueDate: string;
	readonly lineItems: ReadonlyArray<{ readonly description: string; readonly amount: number }>;
}

const issuedInApril = async ({ insist }: Till): Promise<Shown[]> =>
	(await insist("GET", "/customers/group/invoices?limit=100")).filter(
		({ issueDate }: Shown) => issueDate === "2026-04-01T00:00:00.000Z",
	);

const textsOf = (invoices: readonly Shown[]): string[] =>
	invoices
		.flatMap(({ lineItems }) => lineItems.map(({ description, amount }) => `${description}: ${amount}`))
		.toSorted();

test("2.23: a consolidated invoice is the sum of the separate ones, with the same lines, for each set of terms", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(purchase, { minLength: 1, maxLength: 5 }), async (purchases) => {
			const billed = purchases.filter(isBilled);
			const together = await sell(purchases, "CONSOLIDATED");
			const invoices = await issuedInApril(together);
			const expected = [...Map.groupBy(billed, termsOf).values()].map(
				(of) => `${of[0]?.currency} ${of.reduce((sum, one) => sum + centsOf(one), 0n)}`,
			);
			const totals = invoices.map(({ currency, total }) => `${currency} ${Math.round(total * 100)}`);
			expect(totals.toSorted()).toEqual(expected.toSorted());
			expect(drift(together)).toEqual([]);
			const apart = await issuedInApril(await sell(purchases, "SEPARATE"));
			expect(apart).toHaveLength(billed.length);
			expect(textsOf(invoices)).toEqual(textsOf(apart));
		}),
		slowRuns(8),
	);
});

test("taxes that are rounded by invoice are those of each subscription", async () => {
	const ours = await till("2026-03-01T00:00:00Z");
	await ours.insist("POST", "/taxes", { id: "vat", displayName: "VAT", percentage: 7, isInclusive: false });
	await ours.insist("PATCH", "/environments/current", { taxRounding: "INVOICE", taxes: ["vat"] });
	await ours.customer("group", { invoiceGrouping: "CONSOLIDATED" });
	await ours.plan("cents", [flat({ month: 0.33 }), { ...used("calls", { month: 0.33 }) }]);
	for (const id of ["north", "south"]) {
		await ours.customer(id, { parentCustomerId: "group", billsTo: "PARENT" });
		await ours.buy("cents", { customerId: id });
		await ours.use("calls", 1, undefined, id);
	}
	await ours.advance("2026-04-01T00:00:00Z");
	// 0.66 at 7 % are 0.05 for each; 1.32 would be 0.09.
	expect((await issuedInApril(ours)).map(({ total }) => total)).toEqual([1.42]);
	expect(drift(ours)).toEqual([]);
});
