import { expect } from "bun:test";
import type { Instant } from "../../../src/kernel/clock";
import { type Answer, preparedWorld, type World } from "../../support/world";
import { maker, metered, seats } from "../packages/catalogue";

type Money = number | readonly [amount: number, currency: string];
const money = (price: Money) =>
	typeof price === "number" ? { amount: price, currency: "usd" } : { amount: price[0], currency: price[1] };

/** A price by the month, by the year, or both. */
export interface Prices {
	readonly month?: Money;
	readonly year?: Money;
}

const periodsOf = ({ month, year }: Prices, more: object = {}) => [
	...(month === undefined ? [] : [{ billingPeriod: "MONTHLY", price: money(month), ...more }]),
	...(year === undefined ? [] : [{ billingPeriod: "ANNUALLY", price: money(year), ...more }]),
];

export const flat = (prices: Prices, more: object = {}) => ({
	billingModel: "FLAT_FEE",
	pricePeriods: periodsOf(prices),
	...more,
});
export const perUnit = (featureId: string, prices: Prices, more: object = {}) => ({
	billingModel: "PER_UNIT",
	featureId,
	pricePeriods: periodsOf(prices),
	...more,
});
export const used = (featureId: string, prices: Prices, more: object = {}) => ({
	billingModel: "USAGE_BASED",
	featureId,
	pricePeriods: periodsOf(prices, more),
});
export const tiered = (
	featureId: string,
	tiersMode: "GRADUATED" | "VOLUME",
	tiers: ReadonlyArray<readonly [upTo: number | null, unitPrice: number, flatPrice?: number]>,
) => ({
	billingModel: "USAGE_BASED",
	featureId,
	tiersMode,
	pricePeriods: [
		{
			billingPeriod: "MONTHLY",
			tiers: tiers.map(([upTo, unitPrice, flatPrice]) => ({
				...(upTo !== null && { upTo }),
				unitPrice: money(unitPrice),
				...(flatPrice !== undefined && { flatPrice: money(flatPrice) }),
			})),
		},
	],
});
/** Overage beyond a limit that resets with each month of the subscription. */
export const beyond = (featureId: string, usageLimit: number, prices: Prices) => ({
	billingModel: "USAGE_BASED",
	featureId,
	entitlement: {
		featureId,
		usageLimit,
		resetPeriod: "MONTH",
		monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
	},
	pricePeriods: periodsOf(prices),
});
export const units = (id: string, quantity: number) => ({ charges: [{ id, quantity, type: "FEATURE" }] });

/**
 * A price list for one test, with its customer. Features: `seats`, sold by the unit; `calls` and `tokens`, which sum
 * usage, `tokens` by the started thousand. The clock stands at `start` until it is advanced; on the wall clock, until a
 * test sets the machine's.
 */
export const till = async (start: string, clock: "test" | "wall" = "test") =>
	stand(
		await preparedWorld(`till ${start} ${clock}`, async (ours) => {
			ours.clock.at = Date.parse(start) as Instant;
			if (clock === "test") await ours.advance(start);
			const make = maker(ours);
			await make.product();
			await make.feature("seats", { ...seats, displayName: "Seats" });
			await make.feature("calls", { ...metered, displayName: "Calls" });
			await make.feature("tokens", { ...metered, displayName: "Tokens", unitTransformation: thousands });
			for (const id of ["calls", "tokens"]) await insist(ours, "PATCH", `/features/${id}`, { meter: meterOf(id) });
			await ours.call("POST", "/customers", { body: { id: "acme" } });
		}),
	);

export type Till = Awaited<ReturnType<typeof till>>;

const thousands = { divide: 1000, round: "UP", featureUnits: "thousand", featureUnitsPlural: "thousands" };
const meterOf = (eventName: string) => ({
	aggregation: { function: "SUM", field: "n" },
	filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: eventName }] }],
});

async function insist({ call }: World, method: string, path: string, body?: object): Promise<Answer["body"]> {
	const answer = await call(method, path, { body });
	if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
	return answer.body.data;
}

/** Identifies an event. */
export type SentEvent = Readonly<Record<"eventName" | "customerId" | "idempotencyKey", string>>;

function stand(ours: World) {
	const make = maker(ours);
	let events = 0;
	const sell = async (path: string, pricingType: string, pricingModels: readonly object[], more: object) => {
		await make.charge(path, { pricingType, pricingModels, ...more });
		await make.publish(path);
	};
	return {
		...ours,
		insist: (method: string, path: string, body?: object) => insist(ours, method, path, body),
		plan: async (id: string, models: readonly object[], more: object = {}) => {
			await make.plan(id, { displayName: id });
			await sell(`/plans/${id}`, models.length === 0 ? "FREE" : "PAID", models, more);
		},
		addon: async (id: string, ...models: readonly object[]) => {
			await make.addon(id, { displayName: id });
			await sell(`/addons/${id}`, "PAID", models, {});
		},
		coupon: (id: string, off: { percent?: number; amounts?: readonly Money[]; months?: number }) =>
			insist(ours, "POST", "/coupons", {
				id,
				name: id,
				description: null,
				metadata: null,
				percentOff: off.percent ?? null,
				amountsOff: off.amounts?.map(money) ?? null,
				durationInMonths: off.months ?? null,
			}),
		customer: (id: string, more: object = {}) => insist(ours, "POST", "/customers", { id, ...more }),
		/** Provisions a subscription and returns its id. */
		buy: async (planId: string, body: object = {}): Promise<string> =>
			(await insist(ours, "POST", "/subscriptions", { customerId: "acme", planId, ...body })).id,
		change: (id: string, body: object) => insist(ours, "PATCH", `/subscriptions/${id}`, body),
		cancel: (id: string, body: object = {}) => insist(ours, "POST", `/subscriptions/${id}/cancel`, body),
		/** Reports usage at a time (default: now); totals include it when this returns. */
		use: async (eventName: string, n: number, timestamp?: string, customerId = "acme"): Promise<SentEvent> => {
			events += 1;
			const event = { eventName, customerId, idempotencyKey: `e${events}` };
			const at = timestamp ?? (await insist(ours, "GET", "/environments/current/clock")).now;
			await insist(ours, "POST", "/events", { events: [{ ...event, dimensions: { n }, timestamp: at }] });
			ours.countUsage();
			return event;
		},
		/** Cancels reported usage; totals exclude it when this returns. */
		cancelEvents: async (...taken: readonly SentEvent[]): Promise<void> => {
			await insist(ours, "POST", "/events/cancel", { events: taken });
			ours.countUsage();
		},
		chargeUsage: (id: string, body: object = {}) => insist(ours, "POST", `/subscriptions/${id}/usage/charge`, body),
		books: (customer = "acme") => booksOf(ours, customer),
	};
}

/**
 * Returns every invoice and credit note of a customer as a line of text, in the order of issue: day (and time unless
 * midnight), total and lines, with discount and tax if any. It also checks every document: totals are sums of lines,
 * and numbers rise without a gap.
 */
async function booksOf(ours: World, customer: string): Promise<string[]> {
	const list = async (path: string): Promise<Answer["body"][]> =>
		insist(ours, "GET", `/customers/${customer}/${path}?limit=100`);
	const invoices = await list("invoices");
	const notes = (await list("credit-notes")).reverse();
	for (const document of [...invoices, ...notes]) {
		const { subtotal, discount, tax, total, lineItems } = document;
		const sum = lineItems.reduce((whole: number, line: { amount: number }) => whole + cents(line.amount), 0);
		expect(sum).toBe(cents(subtotal));
		expect(cents(total)).toBe(cents(subtotal) - cents(discount) + cents(tax));
	}
	assertNumbered(invoices.map(({ invoiceNumber, issueDate }) => [invoiceNumber, issueDate]));
	assertNumbered(notes.map(({ creditNoteNumber, issueDate }) => [creditNoteNumber, issueDate]));
	return [
		...invoices.map((one) => ({ at: one.issueDate, text: textOf(one, 1) })),
		...notes.map((one) => ({ at: one.issueDate, text: textOf(one, -1) })),
	]
		.sort((one, other) => one.at.localeCompare(other.at))
		.map(({ text }) => text);
}

/** The documents of one customer; numbers are continuous only within the environment. */
function assertNumbered(issued: ReadonlyArray<readonly [number: string, date: string]>): void {
	const numbers = issued.map(([number]) => number);
	expect(numbers).toEqual(numbers.toSorted());
	const dates = issued.map(([, date]) => date);
	expect(dates).toEqual(dates.toSorted());
}

const cents = (amount: number): number => Math.round(amount * 100);

function textOf({ issueDate, total, discount, tax, lineItems }: Answer["body"], sign: 1 | -1): string {
	const shown = (amount: number) => String(amount === 0 ? 0 : sign * amount);
	const lines = lineItems.map(
		(line: { description: string; quantity: number | null; amount: number }) =>
			`${line.quantity === null || line.quantity === 1 ? "" : `${line.quantity} `}${line.description} ${shown(line.amount)}`,
	);
	return [
		`${issueDate.replace("T00:00:00.000Z", "").replace(":00.000Z", "")}: ${shown(total)}`,
		...(discount === 0 ? [] : [`less ${shown(discount)}`]),
		...(tax === 0 ? [] : [`tax ${shown(tax)}`]),
		`= ${lines.join(" + ")}`,
	].join(" ");
}
