import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { EventCharging } from "../../../../../../src/areas/credits/charging/events/follow";
import { StorageError } from "../../../../../../src/kernel/storage/failures";
import type { Transactions } from "../../../../../../src/kernel/work";
import { slowRuns } from "../../../../../support/runs";
import { meteredSite } from "../site";

setDefaultTimeout(120_000);

const customers = ["acme", "writer"] as const;
type Name = "call" | "prompt" | "line";

interface Sent {
	readonly customer: (typeof customers)[number];
	readonly name: Name;
	/** The dimensions `size` and `n`, `input`, `output`. */
	readonly values: readonly [number, number, number];
}

const sent: fc.Arbitrary<Sent> = fc.record({
	customer: fc.constantFrom(...customers),
	name: fc.constantFrom("call", "prompt", "line"),
	values: fc.tuple(fc.integer({ min: -3, max: 40 }), fc.nat(2_000), fc.nat(2_000)),
});

type Step =
	| { readonly kind: "send"; readonly events: readonly Sent[] }
	/** The number of events sent before it. */
	| { readonly kind: "cancel"; readonly share: number }
	/** The number of writes after which the process dies. */
	| { readonly kind: "run"; readonly writesMax: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
	fc.oneof(
		fc.record({
			kind: fc.constant("send" as const),
			events: fc.oneof(
				fc.array(sent, { minLength: 1, maxLength: 6 }),
				fc.array(sent, { minLength: 60, maxLength: 90 }),
			),
		}),
		fc.record({ kind: fc.constant("cancel" as const), share: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
		fc.record({ kind: fc.constant("run" as const), writesMax: fc.nat(6) }),
	),
	{ minLength: 2, maxLength: 12 },
);

/** Calculates the cost of a customer's events that were not canceled, in thousandths of a credit, directly from the price list. */
function worth(customer: string, events: readonly Sent[]): number {
	const own = events.filter((one) => one.customer === customer);
	const named = (name: Name) => own.filter((one) => one.name === name).map(({ values }) => values);
	const calls = named("call").length * 500;
	if (customer === "acme") return calls + named("call").reduce((total, [size]) => total + Math.max(0, size) * 250, 0);
	// Negative usage costs nothing. A formula prices a prompt, whatever its meter counts.
	const prompts = named("prompt").reduce((total, [, input, output]) => total + input + 4 * output, 0);
	const lines = named("line").reduce((total, [n]) => total + Math.max(0, n), 0);
	return calls + prompts + Math.ceil(lines / 10) * 3_000;
}

test("wallets lose exactly the cost of the events, in any history of events, cancellations and crashes", async () => {
	await fc.assert(
		fc.asyncProperty(steps, async (history) => {
			const ours = await meteredSite();
			const { thread, services } = ours;
			const alive: Array<{ readonly key: string; readonly event: Sent }> = [];
			for (const step of history) {
				if (step.kind === "send") {
					const keys = await ours.send(
						...step.events.map(({ customer: customerId, name: eventName, values: [size, input, output] }) => ({
							...{ customerId, eventName },
							dimensions: { size, n: size, input, output },
						})),
					);
					for (const [at, event] of step.events.entries()) alive.push({ key: keys[at] ?? "", event });
				} else if (step.kind === "cancel") {
					const [gone] = alive.splice(Math.floor(step.share * alive.length), 1);
					if (!gone) continue;
					const { customer: customerId, name: eventName } = gone.event;
					const events = [{ customerId, eventName, idempotencyKey: gone.key }];
					expect((await ours.call("POST", "/events/cancel", { body: { events } })).status).toBe(200);
				} else {
					const transactions = dying(thread.transactions, step.writesMax);
					const job = new EventCharging({ ...thread, transactions, eventIds: services.eventIds, log: services.log });
					await job.run().catch(() => undefined);
				}
			}
			await ours.job().run();
			for (const customer of customers) {
				const { currentUsage } = await ours.check(customer);
				expect(Math.round(currentUsage * 1_000)).toBe(
					worth(
						customer,
						alive.map(({ event }) => event),
					),
				);
			}
			expect(ours.findings()).toEqual([]);
		}),
		// A history that does not end is shown, instead of ending the test without one.
		{ ...slowRuns(15), timeout: 10_000, interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true },
	);
});

/** Fails like a full disk: the write is rolled back, and the job stops. */
const dying = (transactions: Transactions, writesMax: number): Transactions => {
	let writes = 0;
	return {
		...transactions,
		writeUsage: (actor, body, ...sync) => {
			writes += 1;
			if (writes > writesMax) throw new StorageError("killed");
			return transactions.writeUsage(actor, body, ...sync);
		},
	};
};
