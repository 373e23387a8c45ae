import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, type Till, tiered, units, used } from "../../billing";
import { site } from "../../spend-thresholds/site";

// The oracle is another customer with the same usage, whose change is made at the date itself. The sums of each charge are the same.

const day = 86_400_000;
const start = Date.UTC(2026, 0, 1);
const lastEvent = Date.UTC(2026, 4, 20);
const end = Date.UTC(2026, 7, 25);
const iso = (at: number) => new Date(at).toISOString();

/** A small generator, so that a failure repeats: the same seed gives the same histories. */
function seeded(seed: number) {
	let state = seed;
	return (below: number): number => {
		state = (state * 48_271) % 2_147_483_647;
		return state % below;
	};
}

const arrears = { paymentTime: "IN_ARREARS" };
const daily = { interval: { unit: "DAY", count: 1 } };
const fee = (price: number, more: object = {}) => ({ key: "fee", ...flat({ month: price }), ...more });
const calls = (price: number, more: object = {}, terms: object = {}) => ({
	...used("calls", { month: price }, more),
	...terms,
});
const transactions = (rate: number, fixedFee: number) => ({
	billingModel: "USAGE_BASED",
	featureId: "calls",
	pricePeriods: [
		{
			billingPeriod: "MONTHLY",
			transactionPrice: { percentRate: rate, fixedFee, freeTransactions: 1, currency: "usd" },
		},
	],
});
const variants = (price: number, other: number) =>
	calls(price, { variants: [{ id: "eight", match: { n: ["8"] }, price: { amount: other, currency: "usd" } }] });

/** The prices of two plans, by what is sold. */
const models: Readonly<Record<string, readonly [readonly object[], readonly object[]]>> = {
	units: [[calls(0.5)], [calls(0.21)]],
	"a fee in advance too": [
		[fee(30), calls(0.5)],
		[fee(45), calls(0.21)],
	],
	graduated: [
		[
			tiered("calls", "GRADUATED", [
				[20, 0.37],
				[null, 0.11],
			]),
		],
		[
			tiered("calls", "GRADUATED", [
				[10, 0.53, 2],
				[null, 0.2],
			]),
		],
	],
	volume: [
		[
			tiered("calls", "VOLUME", [
				[20, 0.37],
				[null, 0.11],
			]),
		],
		[
			tiered("calls", "VOLUME", [
				[30, 0.53],
				[null, 0.2],
			]),
		],
	],
	minimum: [[calls(0.5, { minimumAmount: 20 })], [calls(0.4, { minimumAmount: 31 })]],
	maximum: [[calls(0.5, { maximumAmount: 8 })], [calls(0.4, { maximumAmount: 6.5 })]],
	commitment: [
		[calls(0.5, { commitment: { quantity: 2, overageFactor: 1.5, ...daily } })],
		[calls(0.4, { commitment: { quantity: 3, overageFactor: 1.2, ...daily } })],
	],
	transactions: [[transactions(1.3, 0.1)], [transactions(2.1, 0.07)]],
	variants: [[variants(0.5, 1)], [variants(0.3, 1.7)]],
	groups: [[calls(0.5, {}, { groupBy: ["n"] })], [calls(0.37, {}, { groupBy: ["n"] })]],
	thousands: [[used("tokens", { month: 3 })], [used("tokens", { month: 2.5 })]],
	"a fee in arrears": [[fee(30, arrears)], [fee(45, arrears)]],
	"a fee that moves to arrears": [[fee(30)], [fee(45, arrears)]],
	"a fee that moves to advance": [[fee(30, arrears)], [fee(45)]],
	"units in arrears and usage": [
		[perUnit("seats", { month: 12 }, arrears), calls(0.5)],
		[perUnit("seats", { month: 7 }, arrears), calls(0.4)],
	],
	"usage that begins": [[fee(30)], [fee(30), calls(0.4)]],
	"usage that ends": [[fee(30), calls(0.4)], [fee(30)]],
	"each event": [
		[calls(0.5, {}, { paymentTime: "AT_EVENT", eventInvoicing: "PERIOD_END" })],
		[calls(0.3, {}, { paymentTime: "AT_EVENT", eventInvoicing: "PERIOD_END" })],
	],
};

const terms: readonly object[] = [
	...[{}, {}, {}, { prorationMode: "BY_DAY" }, { prorationMode: "THIRTY_DAY_MONTH" }],
	...[{ appliedCoupon: { couponId: "third" } }, { billingInformation: { taxPercentage: 8.875 } }],
];

/** A credit counts for its charge, and a minimum for its usage. A fee of one price is neither credited nor charged again. */
const nameOf = (description: string): string =>
	description.replace(/^((Reversed|Unused time|Minimum): )+/, "").replace(/fee .*/, "fee");

/** Each bill of a window rounds its own discount and tax, and the dated change has fewer bills. */
function assertAgree(one: object, [found, expected]: readonly Record<string, number>[]): void {
	const { discount = 0, tax = 0, ...charges } = found ?? {};
	const { discount: sameDiscount = 0, tax: sameTax = 0, ...others } = expected ?? {};
	expect({ one, charges }).toEqual({ one, charges: others });
	expect({ one, isNear: Math.abs(discount - sameDiscount) <= 2 && Math.abs(tax - sameTax) <= 2 }).toEqual({
		one,
		isNear: true,
	});
}

/** Returns the sum in cents of each charge of a customer, and of their discounts and taxes. */
async function sumsOf(ours: Till, who: string): Promise<Record<string, number>> {
	const sums: Record<string, number> = {};
	const add = (name: string, amount: number) => {
		sums[name] = (sums[name] ?? 0) + Math.round(amount * 100);
	};
	for (const [path, sign] of [
		["invoices", 1],
		["credit-notes", -1],
	] as const)
		for (const one of await ours.insist("GET", `/customers/${who}/${path}?limit=100`)) {
			add("discount", sign * one.discount);
			add("tax", sign * one.tax);
			for (const { description, amount } of one.lineItems) add(nameOf(description), sign * amount);
		}
	return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

const names = Object.keys(models);
for (const name of names)
	test(`each charge sums to that of a change at the date: ${name}`, async () => {
		const [former, next] = models[name] ?? [[], []];
		const ours = await site(iso(start));
		await ours.plan("former", former);
		await ours.plan("next", next);
		await ours.coupon("third", { percent: 33 });
		const random = seeded(names.indexOf(name) * 7_919 + 17);
		const steps: { readonly at: number; readonly run: () => Promise<unknown> }[] = [];
		const shown = new Map<string, object>();
		for (let nth = 0; nth < 2; nth += 1) {
			const from = start + random(20 * 24) * 3_600_000;
			const date = from + random(90) * day + random(2) * random(day);
			const requested = Math.min(date + 1 + random(70) * day + random(day), lastEvent);
			const body = terms[random(terms.length)] ?? {};
			const isSeated = [former, next].some((one) => JSON.stringify(one).includes('"seats"'));
			const bought = { ...body, ...(isSeated && units("seats", 3)) };
			const events = Array.from({ length: 7 }, () => {
				const at = from + random(lastEvent - from);
				return { at, sentAt: Math.min(at + random(3) * random(40) * day, lastEvent), n: 1 + random(9) };
			});
			for (const [who, at, more] of [
				[`oracle-${nth}`, date, {}],
				[`dated-${nth}`, Math.max(requested, date), { effectiveDate: iso(date) }],
			] as const) {
				await ours.customer(who);
				steps.push({ at: from, run: () => ours.buy("former", { customerId: who, ...bought }) });
				steps.push({
					at,
					run: () => ours.buy("next", { customerId: who, ...(isSeated && units("seats", 3)), ...more }),
				});
				for (const { at, sentAt, n } of events) {
					const amount = name === "thousands" ? n * 700 : n;
					const feature = name === "thousands" ? "tokens" : "calls";
					steps.push({ at: sentAt, run: () => ours.use(feature, amount, iso(at), who) });
				}
			}
			shown.set(`${nth}`, { from: iso(from), date: iso(date), requested: iso(requested), bought });
		}
		for (const { at, run } of steps.toSorted((one, other) => one.at - other.at)) {
			await ours.advance(iso(at));
			await run();
		}
		await ours.advance(iso(end));
		for (const [nth, one] of shown)
			assertAgree(one, [await sumsOf(ours, `dated-${nth}`), await sumsOf(ours, `oracle-${nth}`)]);
		expect(ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)])).toEqual([]);
	}, 60_000);
