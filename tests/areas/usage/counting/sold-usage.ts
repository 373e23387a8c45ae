import { expect } from "bun:test";
import { createFeature, getFeature, updateFeature } from "../../../../src/areas/features/operations";
import type { MeterInput } from "../../../../src/areas/features/schema";
import { Aggregator } from "../../../../src/areas/usage/counting/aggregator";
import { countedEvents, currentUsage } from "../../../../src/areas/usage/operations";
import type { Instant } from "../../../../src/kernel/clock";
import { testNow, type World } from "../../../support/world";
import { provision } from "../../subscriptions/shop";
import type { Held } from "../aggregation-oracle";

const field = "amount";
export const aggregations: Readonly<Record<string, MeterInput["aggregation"]>> = {
	count: { function: "COUNT" },
	sum: { function: "SUM", field },
	max: { function: "MAX", field },
	avg: { function: "AVG", field },
	unique: { function: "UNIQUE", field },
	latest: { function: "LATEST", field },
	p90: { function: "PERCENTILE", field, percentile: 90 },
};
/** Amounts are published next to the totals only if no meter has members. */
export const all = Object.keys(aggregations);
export const plain = all.filter((name) => name !== "unique" && name !== "p90");

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const hourOf = (at: number): number => Math.floor(at / hourMs);
export const dayMs = 24 * hourMs;

/** Instants at which subscriptions are sold: within hours, two of them within one. */
export const anchors = [17 * minuteMs + 1, 42 * minuteMs, 3 * hourMs + 5].map((offsetMs) => testNow + offsetMs);
export interface Event {
	readonly at: number;
	readonly amount: Held["value"];
	/** Whether it belongs to the customer that is created later. */
	readonly isLate: boolean;
}

/** Returns the instants at which hours of a customer are cut. */
export const cutsOf = ({ db }: World, customer: string): number[] =>
	db.$client
		.query<{ at: number }, [string]>(
			`SELECT at FROM usage_cuts JOIN usage_subjects s ON s.id = subject_id JOIN customers c ON c.id = s.customer_id
			WHERE c.ref_id = ?`,
		)
		.all(customer)
		.map(({ at }) => at);

/** Two customers for each run: one that exists, and one that is created later. */
export async function site(ours: World, run: number, names: readonly string[] = all) {
	const now = testNow + 10 * dayMs;
	ours.clock.at = now as Instant;
	let lastKey = 0;
	let sold = 0;
	const make = async (name: string): Promise<string> =>
		(await ours.call("POST", "/customers", { body: { id: name } })).body.data.id;
	const [acme, late] = [`acme-${run}`, `late-${run}`];
	await make(acme);
	let aggregator = new Aggregator({ folder: ours.folder, clock: ours.clock });
	const featureOf = (name: string): string => `${name}-${run}`;
	const post = (events: readonly object[], more: { readonly format?: "cancellation" } = {}) =>
		ours.services.events.send({
			...{ environmentId: ours.environmentId, now: now as Instant, unknownCustomers: "accept", ...more },
			text: JSON.stringify(more.format ? { actorId: "key", events } : { events }),
		});
	const identityOf = (key: number, { isLate }: Event) => ({
		...{ eventName: `call-${run}`, customerId: isLate ? late : acme, idempotencyKey: `${key}` },
	});
	const wire = (key: number, event: Event) => ({
		...identityOf(key, event),
		timestamp: new Date(event.at).toISOString(),
		...(event.amount !== undefined && { dimensions: { amount: event.amount } }),
	});
	return {
		acme,
		late,
		/** Sends an event again, with another time and amount: a duplicate. */
		repeat: async (key: number, event: Event): Promise<void> => {
			const events = [wire(key, { ...event, at: event.at + hourMs, amount: 7 })];
			expect(await post(events)).toEqual({ kind: "accepted" });
		},
		cancel: async (key: number, event: Event): Promise<void> => {
			expect((await post([identityOf(key, event)], { format: "cancellation" })).kind).toBe("canceled");
		},
		/** Rebuilds one feature of this run: all runs share the folder, so a rebuild of everything would grow with them. */
		rebuild: (taskId: string): void => {
			const row = ours.db.$client
				.query<{ id: string }, [string]>("SELECT id FROM features WHERE ref_id = ?")
				.get(featureOf(names.at(-1) ?? ""));
			if (row) aggregator.rebuild({ taskId, environmentId: ours.environmentId, featureId: row.id });
		},
		make,
		crash: (chunkEvents: number): void => {
			aggregator.close();
			aggregator = new Aggregator({ folder: ours.folder, clock: ours.clock, chunkEvents });
		},
		close: () => aggregator.close(),
		count: (how: "run" | "step" | "show"): void => {
			if (how !== "show") aggregator[how]();
			else {
				aggregator.count();
				aggregator.show();
			}
		},
		send: async (sent: readonly Event[]): Promise<void> => {
			const events = sent.map((event) => {
				lastKey += 1;
				return wire(lastKey, event);
			});
			expect(await post(events)).toEqual({ kind: "accepted" });
		},
		sell: async (at: number): Promise<void> => {
			ours.clock.at = at as Instant;
			sold += 1;
			await provision(ours, { customerId: acme, planId: "free", id: `${acme}-${sold}` });
			ours.clock.at = now as Instant;
		},
		give: async (at: number): Promise<void> => {
			ours.clock.at = at as Instant;
			const none = { customEndDate: null, enumValues: null, hasSoftLimit: null, isVisible: null, resetPeriod: null };
			const configurations = {
				yearlyResetPeriodConfiguration: null,
				monthlyResetPeriodConfiguration: null,
				weeklyResetPeriodConfiguration: null,
			};
			const grant = {
				...none,
				...configurations,
				featureId: featureOf("count"),
				hasUnlimitedUsage: true,
				usageLimit: null,
				period: "1 week",
			};
			const body = { promotionalEntitlements: [grant] };
			const given = await ours.call("POST", `/customers/${acme}/promotional-entitlements`, { body });
			expect([given.status, given.body.message]).toEqual([201, undefined]);
			ours.clock.at = now as Instant;
		},
		meters: (): void => {
			ours.transactions.write(ours.actor, (work) => {
				for (const name of names) {
					const aggregation = aggregations[name];
					if (!aggregation) continue;
					const id = featureOf(name);
					createFeature(work, { id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" });
					const filters = [
						{ conditions: [{ field: "eventName", operation: "EQUALS" as const, value: `call-${run}` }] },
					];
					updateFeature(work, id, { meter: { aggregation, filters } });
				}
			});
		},
		/** Returns the value and the number of changes, as readers get them. */
		usage: (name: string, customer: string, within: { start: Instant; end: Instant }) =>
			ours.transactions.read(ours.actor, (work) => {
				const row = ours.db.$client
					.query<{ id: string }, [string]>("SELECT id FROM customers WHERE ref_id = ?")
					.get(customer);
				const of = { featureId: getFeature(work, featureOf(name)).id, customerId: row?.id ?? "", resourceId: null };
				return [String(currentUsage(work, { ...of, period: within })), countedEvents(work, of).within(within)];
			}),
	};
}
