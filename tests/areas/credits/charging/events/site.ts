import { expect } from "bun:test";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { EventCharging } from "../../../../../src/areas/credits/charging/events/follow";
import { type CreditEntryRow, creditEntries } from "../../../../../src/areas/credits/table";
import { checkChain, checkWallets } from "../../../../../src/areas/credits/verification/operations.check";
import { maker, metered } from "../../../packages/catalogue";
import { studio } from "../studio";

/** The studio, where a formula prices the events of `words` and started tens price `lines`; and the job that charges events. */
export async function meteredSite() {
	const ours = await studio();
	const make = maker(ours);
	const patch = async (id: string, aggregation: object, eventName: string) => {
		const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: eventName }] }];
		expect((await ours.call("PATCH", `/features/${id}`, { body: { meter: { aggregation, filters } } })).status).toBe(
			200,
		);
	};
	for (const id of ["words", "lines"]) await make.feature(id, metered);
	await patch("words", { function: "SUM", field: "input" }, "prompt");
	await patch("lines", { function: "SUM", field: "n" }, "line");
	await make.plan("writer");
	await make.entitle("/plans/writer", { type: "CREDIT", id: "gold", amount: 50, cadence: "MONTH" });
	await make.entitle("/plans/writer", ...["words", "lines", "calls"].map((id) => ({ type: "FEATURE", id })));
	const priced = (featureId: string, creditRate: object, more: object = {}) => ({
		billingModel: "CREDIT_BASED",
		featureId,
		pricePeriods: [{ billingPeriod: "MONTHLY", creditRate: { ...creditRate, currencyId: "gold" }, ...more }],
	});
	await make.charge("/plans/writer", {
		pricingType: "PAID",
		pricingModels: [
			priced("words", { amount: 1, costFormula: "(input + 4 * output) / 1000" }),
			priced("lines", { amount: 3 }, { blockSize: 10 }),
			priced("calls", { amount: 0.5 }),
		],
	});
	await make.publish("/plans/writer");
	for (const customerId of ["writer"]) {
		await ours.call("POST", "/customers", { body: { id: customerId } });
		const sold = await ours.call("POST", "/subscriptions", { body: { customerId, planId: "writer" } });
		expect(sold.status).toBe(201);
	}
	const { services, thread, transactions, actor } = ours;
	const job = () => new EventCharging({ ...thread, eventIds: services.eventIds, log: services.log });
	await job().run();
	let keys = 0;
	return {
		...ours,
		make,
		job,
		/** Sends events. Returns their idempotency keys. */
		send: async (...events: ReadonlyArray<Readonly<Record<string, unknown>>>): Promise<string[]> => {
			const named = events.map((one) => {
				keys += 1;
				return { customerId: "acme", idempotencyKey: `k${keys}`, ...one } as { idempotencyKey: string };
			});
			const { status, body } = await ours.call("POST", "/events", { body: { events: named } });
			if (status !== 200) throw new Error(JSON.stringify(body));
			return named.map(({ idempotencyKey }) => idempotencyKey);
		},
		check: async (customer = "acme", currency = "gold") =>
			(await ours.call("GET", `/customers/${customer}/entitlements/check?currencyId=${currency}`)).body.data,
		entries: (...types: string[]): CreditEntryRow[] =>
			transactions.read(actor, (work) =>
				work.tx
					.select()
					.from(creditEntries)
					.all()
					.filter(({ eventType }) => types.includes(eventType)),
			),
		/** Returns the findings of the check of the ledger. */
		findings: (): string[] =>
			transactions.read(systemActor(""), (work) => [...checkChain(work), ...checkWallets(work)]),
	};
}
