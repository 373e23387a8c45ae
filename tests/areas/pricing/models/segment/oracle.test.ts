import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { add, parse, type Rational, ratio, smaller, times, total } from "../../../../support/oracle/rational";
import { type SentEvent, till } from "../../../subscriptions/billing";
import { findings } from "../../window-cost/findings";
import { segmented } from "./events";

setDefaultTimeout(240_000);

interface Sent {
	readonly n: number;
	readonly model?: string | number | undefined;
	readonly region?: string | undefined;
	/** Days after the start of January. */
	readonly day: number;
	readonly arrives: "FIRST" | "SECOND" | "LATE";
	readonly isCanceled: boolean;
	readonly isRepeated: boolean;
}

interface Variant {
	readonly match: Readonly<Record<string, readonly string[]>>;
	readonly cents: number;
}

const texts = fc.constantFrom(["*"], ["a"], ["b"], ["a", "b"], ["1"]);
const variants = fc.uniqueArray(
	fc.record({
		match: fc.oneof(
			texts.map((model) => ({ model })),
			texts.map((region) => ({ region })),
			fc.tuple(texts, texts).map(([model, region]) => ({ model, region })),
		),
		cents: fc.integer({ min: 0, max: 500 }),
	}),
	{ maxLength: 8, selector: ({ match }) => JSON.stringify(Object.entries(match).sort()) },
);
const events = fc.array(
	fc.record({
		n: fc.integer({ min: 0, max: 400 }).map((hundredths) => hundredths / 100),
		model: fc.constantFrom("a", "b", 1, "c", undefined),
		region: fc.constantFrom("a", "b", "eu", undefined),
		day: fc.integer({ min: 0, max: 30 }),
		arrives: fc.constantFrom("FIRST" as const, "SECOND" as const, "LATE" as const),
		isCanceled: fc.boolean(),
		isRepeated: fc.boolean(),
	}),
	{ maxLength: 25 },
);

/** Finds the price of an event by trying every variant, with nothing of the code under test. */
function placeOf(prices: readonly Variant[], event: Sent): number {
	let best = { place: prices.length, named: -1, any: -1 };
	for (const [place, { match }] of prices.entries()) {
		let [named, any, fits] = [0, 0, true];
		for (const [dimension, allowed] of Object.entries(match)) {
			const value = dimension === "model" ? event.model : event.region;
			if (value === undefined) fits = false;
			else if (allowed[0] === "*") any += 1;
			else if (allowed.some((text) => text === `${value}`)) named += 1;
			else fits = false;
		}
		if (fits && (named > best.named || (named === best.named && any > best.any))) best = { place, named, any };
	}
	return best.place;
}

/** The first ten units of each segment cost the price, and each further unit half of it. */
function costOf(prices: readonly Variant[], standard: number, isGrouped: boolean, sent: readonly Sent[]): Rational {
	const used = new Map<string, { readonly cents: number; units: Rational }>();
	for (const event of sent) {
		const place = placeOf(prices, event);
		const name = `${place}/${isGrouped ? (event.region ?? "") : ""}`;
		const segment = used.get(name) ?? { cents: prices[place]?.cents ?? standard, units: ratio(0) };
		used.set(name, { ...segment, units: add(segment.units, parse(String(event.n))) });
	}
	return total(
		[...used.values()].map(({ cents, units }) => {
			const first = smaller(units, ratio(10));
			const rest = add(units, times(first, ratio(-1)));
			return roundedCents(add(times(first, ratio(cents)), times(rest, ratio(cents, 2))));
		}),
	);
}

const roundedCents = ({ over, under }: Rational): Rational => ratio((2n * over + under) / (2n * under));

test("variants and groups cost what brute force finds, in any order of events and bills", async () => {
	await fc.assert(
		fc.asyncProperty(
			variants,
			fc.integer({ min: 0, max: 300 }),
			fc.boolean(),
			events,
			async (priced, standard, isGrouped, sent) => {
				const ours = await till("2026-01-01T00:00:00Z");
				const tiers = (cents: number) => [
					{ upTo: 10, unitPrice: { amount: cents / 100 } },
					{ unitPrice: { amount: cents / 200 } },
				];
				const model = segmented(
					0,
					priced.map(({ match, cents }) => ({ match, tiers: tiers(cents) })),
					{
						...{ tiersMode: "GRADUATED", ...(isGrouped && { groupBy: ["region"] }) },
						period: { price: undefined, tiers: tiers(standard) },
					},
				);
				await ours.plan("pro", [model]);
				const id = await ours.buy("pro");
				const taken: SentEvent[] = [];
				const send = async (arrives: Sent["arrives"]): Promise<void> => {
					for (const [at, one] of sent.entries()) {
						if (one.arrives !== arrives) continue;
						const event = {
							...{ eventName: "calls", customerId: "acme", idempotencyKey: `o${at}` },
							timestamp: new Date(
								Date.UTC(2026, 0, 1 + (arrives === "FIRST" ? one.day % 11 : one.day), 0, at),
							).toISOString(),
							dimensions: {
								...{ n: one.n, ...(one.model !== undefined && { model: one.model }) },
								...(one.region !== undefined && { region: one.region }),
							},
						};
						for (let times = one.isRepeated ? 2 : 1; times > 0; times -= 1)
							await ours.insist("POST", "/events", { events: [event] });
						const { eventName, customerId, idempotencyKey } = event;
						if (one.isCanceled) taken.push({ eventName, customerId, idempotencyKey });
					}
					await ours.use("tokens", 0);
					// Usage that is billed is not refunded, so events are canceled before their bill.
					if (taken.length > 0) await ours.cancelEvents(...taken.splice(0));
				};
				await ours.advance("2026-01-12T00:00:00Z");
				await send("FIRST");
				await ours.chargeUsage(id);
				await ours.advance("2026-01-31T12:00:00Z");
				await send("SECOND");
				await ours.advance("2026-02-01T00:00:00Z");
				await send("LATE");
				await ours.advance("2026-03-01T00:00:00Z");
				const kept = sent.filter(({ isCanceled }) => !isCanceled);
				const billed = (await ours.books()).map((text) => Number(text.split(" ")[1]));
				const cents = billed.reduce((sum, one) => sum + Math.round(one * 100), 0);
				expect(ratio(cents)).toEqual(costOf(priced, standard, isGrouped, kept));
				expect(findings(ours)).toEqual([]);
			},
		),
		{ numRuns: 12 },
	);
});
