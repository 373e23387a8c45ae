import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ObservedChange } from "../../../../src/areas/entitlements/stream/watched";
import { eventually } from "../../../support/process";
import { slowRuns } from "../../../support/runs";
import { type World, world } from "../../../support/world";
import { maker, metered } from "../../packages/catalogue";
import { item } from "../../promotional-entitlements/grants";

interface Known {
	reason: string | null;
	readonly entitlements: Map<string, unknown>;
}

type Listed = ObservedChange["seen"]["entitlements"][number];
const idOf = (one: Listed): string => (one.type === "CREDIT" ? one.currency.currencyId : (one.feature?.id ?? ""));

/** The state of a client that reads once and then only listens. */
class Client {
	readonly #known = new Map<string, Known>();
	readonly #ours: World;

	constructor(ours: World) {
		this.#ours = ours;
	}

	async read(customerId: string): Promise<void> {
		const { accessDeniedReason, entitlements } = await this.now(customerId);
		this.#known.set(customerId, {
			reason: accessDeniedReason,
			entitlements: new Map(entitlements.map((one: Listed) => [idOf(one), one])),
		});
	}

	readonly hear = ({ of, seen, isFirst, isOfTerms, changed, removed, used }: ObservedChange): undefined => {
		const known = this.#known.get(of.customerRef) ?? { reason: null, entitlements: new Map() };
		this.#known.set(of.customerRef, known);
		expect(isOfTerms || used.length > 0).toBe(true);
		if (!isOfTerms) expect(changed).toEqual(used);
		if (isFirst) {
			known.entitlements.clear();
			expect(changed).toEqual([...seen.entitlements]);
		}
		known.reason = seen.reason;
		for (const one of changed) known.entitlements.set(idOf(one), one);
		for (const id of removed) known.entitlements.delete(id.slice(id.indexOf(":") + 1));
		return undefined;
	};

	now = async (customerId: string) => (await this.#ours.call("GET", `/customers/${customerId}/entitlements`)).body.data;

	async isRight(customerId: string): Promise<boolean> {
		const { accessDeniedReason: reason, entitlements } = await this.now(customerId);
		const known = this.#known.get(customerId);
		const byId = new Map(entitlements.map((one: Listed) => [idOf(one), one]));
		return Bun.deepEquals(known, { reason, entitlements: byId });
	}
}

type Step =
	| { readonly kind: "gift" | "take"; readonly customer: number; readonly feature: number; readonly limit: number }
	| { readonly kind: "report"; readonly customer: number; readonly feature: number; readonly limit: number }
	| { readonly kind: "sell" | "archive" | "come"; readonly customer: number }
	| { readonly kind: "rename"; readonly feature: number; readonly limit: number }
	| { readonly kind: "wait"; readonly limit: number };

const customer = fc.nat(3);
const feature = fc.nat(1);
const limit = fc.integer({ min: 1, max: 40 });
const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof(
		fc.record({ kind: fc.constantFrom("gift", "gift", "take", "report", "report"), customer, feature, limit }),
		fc.record({ kind: fc.constantFrom("sell", "archive", "come"), customer }),
		fc.record({ kind: fc.constant("rename"), feature, limit }),
		fc.record({ kind: fc.constant("wait"), limit }),
	) as fc.Arbitrary<Step>,
	{ minLength: 1, maxLength: 14 },
);

async function take(ours: World, step: Step): Promise<void> {
	const featureId = "feature" in step ? `f${step.feature}` : "";
	const path = "customer" in step ? `/customers/c${step.customer}` : "";
	const gifts = `${path}/promotional-entitlements`;
	// Refused requests (a duplicate promotional entitlement, an archived customer) change nothing, so they push nothing.
	switch (step.kind) {
		case "come":
			await ours.call("POST", "/customers", { body: { id: path.slice(path.lastIndexOf("/") + 1) } });
			break;
		case "gift": {
			const gift = item(featureId, { usageLimit: step.limit, resetPeriod: "DAY" });
			await ours.call("POST", gifts, { body: { promotionalEntitlements: [gift] } });
			break;
		}
		case "take":
			await ours.call("DELETE", `${gifts}/${featureId}`);
			break;
		case "report": {
			const customerId = `c${step.customer}`;
			await ours.call("POST", "/usage", { body: { usages: [{ customerId, featureId, value: step.limit }] } });
			break;
		}
		case "sell":
			await ours.call("POST", "/subscriptions", { body: { customerId: `c${step.customer}`, planId: "free" } });
			break;
		case "archive":
			await ours.call("POST", `${path}/archive`);
			break;
		case "rename":
			await ours.call("PATCH", `/features/${featureId}`, { body: { displayName: `name ${step.limit}` } });
			break;
		case "wait":
			await ours.call("POST", "/environments/current/clock", { body: { advanceBy: `P${step.limit}D` } });
	}
}

describe("a client that follows an environment", () => {
	test("knows the same in the end as a client that reads again, after any history", async () => {
		await fc.assert(
			fc.asyncProperty(steps, fc.nat(2), async (happening, customers) => {
				const ours = world();
				const make = maker(ours);
				await make.product();
				for (const id of ["f0", "f1"]) await make.feature(id, metered);
				await make.plan("free");
				await make.entitle("/plans/free", { type: "FEATURE", id: "f0", usageLimit: 7, resetPeriod: "MONTH" });
				await make.charge("/plans/free", { pricingType: "FREE", pricingModels: [] });
				await make.publish("/plans/free");
				await ours.call("POST", "/environments/current/clock", { body: {} });
				const ids = [0, 1, 2, 3].map((at) => `c${at}`);
				for (const id of ids.slice(0, customers)) await ours.call("POST", "/customers", { body: { id } });
				const client = new Client(ours);
				const stop = ours.services.watching.followAll(ours.environmentId, client.hear);
				try {
					for (const id of ids.slice(0, customers)) await client.read(id);
					for (const step of happening) await take(ours, step);
					for (const id of ids) {
						if ((await ours.call("GET", `/customers/${id}`)).status === 404) continue;
						await eventually(async () => ((await client.isRight(id)) ? true : undefined), 5_000);
					}
				} finally {
					stop();
				}
			}),
			slowRuns(6),
		);
	}, 120_000);

	test("pushes the next message after the previous one is delivered", async () => {
		const ours = world();
		const pushed: string[] = [];
		let free = Promise.withResolvers<void>();
		const stop = ours.services.watching.followAll(ours.environmentId, ({ of }) => {
			pushed.push(of.customerRef);
			return free.promise;
		});
		for (const id of ["a", "b"]) await ours.call("POST", "/customers", { body: { id } });
		await eventually(async () => pushed[0]);
		await Bun.sleep(100);
		expect(pushed).toEqual(["a"]);
		const first = free;
		free = Promise.withResolvers();
		first.resolve();
		await eventually(async () => pushed[1]);
		expect(pushed).toEqual(["a", "b"]);
		free.resolve();
		stop();
	});
});
