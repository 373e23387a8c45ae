import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import type { TransactionPrice } from "../../../../../src/areas/pricing/models/transaction";
import { Aggregator } from "../../../../../src/areas/usage/counting/aggregator";
import { transactionsIn } from "../../../../../src/areas/usage/operations";
import type { Instant } from "../../../../../src/kernel/clock";
import { toDecimal } from "../../../../../src/kernel/decimal";
import {
	add,
	compare,
	less,
	parse,
	type Rational,
	ratio,
	smaller,
	times,
	total,
} from "../../../../support/oracle/rational";
import { till } from "../../../subscriptions/billing";

setDefaultTimeout(120_000);

interface Sent {
	readonly at: number;
	/** Its place in the log. */
	readonly place: number;
	readonly value: string;
}

/** Calculates the cost event by event, with nothing of the code under test. */
function costOf(price: TransactionPrice, events: readonly Sent[]): Rational {
	const field = (name: "percentRate" | "fixedFee" | "minimum" | "maximum" | "freeAmount") => {
		const value = price[name];
		return value === undefined ? undefined : parse(value);
	};
	const [rate = ratio(0), fee = ratio(0)] = [field("percentRate"), field("fixedFee")];
	const [least, most, amount] = [field("minimum"), field("maximum"), field("freeAmount")];
	const each = (value: Rational): Rational => {
		const cost = add(times(value, times(rate, ratio(1, 100))), fee);
		const raised = least && compare(cost, least) < 0n ? least : cost;
		return most ? smaller(raised, most) : raised;
	};
	let [used, number, isFree] = [ratio(0), 0, price.freeTransactions !== undefined || amount !== undefined];
	const costs: Rational[] = [];
	for (const { value: text } of events.toSorted((one, other) => one.at - other.at || one.place - other.place)) {
		const value = parse(text);
		if (value.over < 0n) continue;
		if (!isFree) {
			costs.push(each(value));
			continue;
		}
		const left = amount && less(amount, used);
		if (left && compare(value, left) > 0n) costs.push(each(less(value, left)));
		used = add(used, value);
		number += 1;
		const isOver = amount !== undefined && compare(used, amount) >= 0n;
		isFree = !isOver && (price.freeTransactions === undefined || number < price.freeTransactions);
	}
	return total(costs);
}

const amounts = fc.integer({ min: 1, max: 2_000 }).map((cents) => cents / 100);
const optional = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: undefined });
const prices = fc
	.record({
		percentRate: fc.integer({ min: 0, max: 500 }).map((rate) => rate / 100),
		fixedFee: optional(amounts),
		bounds: optional(fc.tuple(amounts, amounts)),
		freeTransactions: optional(fc.integer({ min: 1, max: 40 })),
		freeAmount: optional(fc.integer({ min: 1, max: 6_000_00 }).map((cents) => cents / 100)),
	})
	.map(({ bounds, ...price }) => ({
		...price,
		...(bounds && { minimum: Math.min(...bounds), maximum: Math.max(...bounds) }),
	}));

test("costs equal a loop over the events, in any order of arrival, split, duplicated and canceled", async () => {
	const start = Date.parse("2026-01-01T00:00:00Z");
	await fc.assert(
		fc.asyncProperty(
			fc.array(prices, { minLength: 6, maxLength: 6 }),
			fc.array(
				fc.record({
					// Few distinct times, so that the place in the log decides.
					at: fc.integer({ min: 0, max: 60 }).map((tenths) => start + tenths * 360_000),
					value: fc.oneof(
						fc.integer({ min: -500, max: 90_000_00 }).map((cents) => cents / 100),
						fc.constantFrom(0, 0.1, 1e-7, 123456.789),
					),
				}),
				{ minLength: 30, maxLength: 80 },
			),
			fc.array(fc.integer({ min: 0, max: 64 }), { minLength: 3, maxLength: 3 }),
			async (requested, events, cuts) => {
				const ours = await till("2026-01-02T00:00:00Z");
				const models = requested.map((price, at) => ({
					...{ billingModel: "USAGE_BASED", featureId: "calls", key: `p${at}` },
					pricePeriods: [{ billingPeriod: "MONTHLY", transactionPrice: { ...price, currency: "usd" } }],
				}));
				const known = new Map(models.map((model) => [JSON.stringify(model.pricePeriods), model]));
				await ours.plan("pro", [...known.values()]);
				const count = () => {
					const aggregator = new Aggregator({ folder: ours.folder, chunkEvents: 7 });
					aggregator.run();
					aggregator.close();
				};
				const sent: Sent[] = [];
				for (const [place, { at, value }] of events.entries()) {
					const event = { eventName: "calls", customerId: "acme", idempotencyKey: `t${place}` };
					const body = { ...event, dimensions: { n: value }, timestamp: new Date(at).toISOString() };
					await ours.insist("POST", "/events", { events: place % 5 === 0 ? [body, body] : [body] });
					if (place % 11 === 0) count();
					if (place % 13 === 5) await ours.insist("POST", "/events/cancel", { events: [event] });
					else sent.push({ at, place, value: toDecimal(value) });
				}
				count();
				const { id: customerId } = ours.db.$client.query<{ id: string }, []>("SELECT id FROM customers").get() ?? {
					id: "",
				};
				const rows = ours.db.$client
					.query<{ feature_id: string; price: string }, []>(
						"SELECT DISTINCT feature_id, price_terms ->> '$.transactionPrice' AS price FROM charges WHERE price_terms IS NOT NULL",
					)
					.all();
				expect(rows.length).toBe(known.size);
				for (const { feature_id: featureId, price: text } of rows) {
					const price: TransactionPrice = JSON.parse(text);
					for (const cut of [0, ...cuts]) {
						const period = {
							start: (start + cut * 360_001) as Instant,
							end: (start + 7_200_000 + cut * 400_003) as Instant,
						};
						const { cost } = ours.transactions.read(ours.actor, (work) =>
							transactionsIn(work, { featureId, customerId, resourceId: null }, price, period),
						);
						const within = sent.filter(({ at }) => at >= period.start && at < period.end);
						expect(compare(parse(cost), costOf(price, within))).toBe(0n);
					}
				}
			},
		),
		{ numRuns: 6 },
	);
});
