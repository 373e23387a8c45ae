import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { tiered, till } from "../../../billing";

setDefaultTimeout(120_000);

// The oracle knows days of April and whole units. It walks through the events one by one and adds cents.

interface Event {
	readonly customer: string;
	readonly day: number;
	readonly units: number;
}

/** A customer's days in the group and of its own subscription, each with its first day and the day after its last. */
interface Child {
	readonly joins: number;
	readonly leaves: number;
	readonly buys: number;
	readonly cancels: number;
}

const names = ["north", "south"] as const;
const lastDay = 29;
const days = fc.tuple(fc.integer({ min: 1, max: lastDay }), fc.integer({ min: 1, max: lastDay }));
const child = fc.tuple(days, days).map(([one, other]): Child => {
	const [joins, leaves] = one.toSorted((a, b) => a - b);
	const [buys, cancels] = other.toSorted((a, b) => a - b);
	return { joins: joins ?? 1, leaves: leaves ?? 1, buys: buys ?? 1, cancels: cancels ?? 1 };
});
const event = fc.record({
	customer: fc.constantFrom("acme", ...names),
	day: fc.integer({ min: 1, max: lastDay }),
	units: fc.integer({ min: 1, max: 900 }),
});

function centsOf(events: readonly Event[], children: Readonly<Record<string, Child>>): number {
	let units = 0;
	let cents = 0;
	for (const { customer, day, units: more } of events) {
		const one = children[customer];
		const isOwn = one && one.buys <= day && day < one.cancels;
		const isMember = !one || (one.joins <= day && day < one.leaves);
		if (!isMember || isOwn) continue;
		for (let at = 0; at < more; at += 1) {
			units += 1;
			cents += units <= 1000 ? 10 : 8;
		}
	}
	return cents;
}

const date = (day: number, hour = 0) => new Date(Date.UTC(2026, 3, day, hour)).toISOString();

test("pooled usage costs what the events of members cost in one series of tiers", () =>
	fc.assert(
		fc.asyncProperty(fc.array(event, { maxLength: 8 }), child, child, async (events, north, south) => {
			const ours = await till("2026-04-01T00:00:00Z");
			const tiers = [
				[1000, 0.1],
				[null, 0.08],
			] as const;
			await ours.plan("pro", [tiered("calls", "GRADUATED", tiers)]);
			for (const name of names) await ours.customer(name);
			await ours.buy("pro", { includesChildUsage: true });
			const children = { north, south };
			const held = new Map<string, string>();
			for (let day = 1; day <= lastDay; day += 1) {
				await ours.advance(date(day));
				for (const name of names) {
					const { joins, leaves, buys, cancels } = children[name];
					const id = held.get(name);
					if (day === cancels && id) await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
					if (day === leaves && joins < leaves)
						await ours.insist("PATCH", `/customers/${name}`, { parentCustomerId: null });
					if (day === joins && joins < leaves)
						await ours.insist("PATCH", `/customers/${name}`, { parentCustomerId: "acme" });
					if (day === buys && buys < cancels) held.set(name, await ours.buy("pro", { customerId: name }));
				}
			}
			await ours.advance(date(30));
			for (const { customer, day, units } of events) await ours.use("calls", units, date(day, 12), customer);
			await ours.advance("2026-05-01T00:00:00Z");
			const invoices = await ours.insist("GET", "/customers/acme/invoices?limit=100");
			const total = invoices.reduce((sum: number, one: { total: number }) => sum + Math.round(one.total * 100), 0);
			expect(total).toBe(centsOf(events, children));
		}),
		{ numRuns: 8 },
	));
