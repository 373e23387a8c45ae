import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { byGenerosity, precedenceOf } from "../../../src/areas/entitlement-sources/rules.precedence";
import type { Source } from "../../../src/areas/entitlement-sources/rules.sources";
import type { EntitlementExplanation } from "../../../src/areas/entitlement-sources/schema.explanation";
import { type Candidate, decide, outcomeOf } from "../../../src/areas/entitlements/rules";
import type { Instant } from "../../../src/kernel/clock";
import { toDecimal } from "../../../src/kernel/decimal";
import type { World } from "../../support/world";
import { granted, item } from "../promotional-entitlements/grants";
import { provision, shop } from "../subscriptions/shop";

interface Explained {
	readonly explanation: EntitlementExplanation;
	readonly [key: string]: unknown;
}

/** The shop, where `calls` sums `n` of the events "call", in thousands rounded up. */
async function site() {
	const ours = await shop();
	const meter = {
		aggregation: { function: "SUM", field: "n" },
		filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }],
	};
	const set = await ours.call("PATCH", "/features/calls", { body: { meter } });
	if (set.status !== 200) throw new Error(JSON.stringify(set.body));
	const get = async (path: string) => (await ours.call("GET", `/customers/acme/entitlements${path}`)).body.data;
	return {
		...ours,
		get,
		explain: (query: string): Promise<Explained> => get(`/check?${query}&explain=true`),
		report: async (key: string, n: number, more: object = {}) => {
			const event = { eventName: "call", customerId: "acme", idempotencyKey: key, dimensions: { n }, ...more };
			await ours.call("POST", "/events", { body: { events: [event] } });
			ours.countUsage();
		},
	};
}

describe("a metered feature of a plan with an addon, and a smaller promotional entitlement", () => {
	let ours: Awaited<ReturnType<typeof site>>;
	let answer: Explained;
	beforeAll(async () => {
		ours = await site();
		await provision(ours, {
			id: "sub-1",
			planId: "pro",
			billingPeriod: "MONTHLY",
			addons: [{ id: "extra", quantity: 2 }],
			unitQuantity: 3,
		});
		await granted(ours, item("calls", { usageLimit: 50, period: "1 week" }));
		for (let n = 1; n <= 12; n += 1) await ours.report(`e${n}`, n);
		// The meter does not count another event name.
		await ours.call("POST", "/events", {
			body: { events: [{ eventName: "cal", customerId: "acme", idempotencyKey: "misspelt" }] },
		});
		ours.countUsage();
		answer = await ours.explain("featureId=calls");
	});

	test("names the granting source, with ids, versions and values", () => {
		const [first, second] = answer.explanation.sources;
		expect(first).toMatchObject({
			kind: "SUBSCRIPTION",
			id: "sub-1",
			isShown: true,
			outcome: "GRANTS",
			usageLimit: 2000,
		});
		expect(first?.parts).toMatchObject([
			{ kind: "PLAN", id: "pro", version: 1, quantity: 1, effect: "ADDS", usageLimit: 1000, resetPeriod: "MONTH" },
			{ kind: "ADDON", id: "extra", version: 1, quantity: 2, effect: "ADDS", usageLimit: 500 },
		]);
		expect(second).toMatchObject({
			kind: "PROMOTIONAL",
			isShown: false,
			outcome: "LIMIT_REACHED",
			precededBy: "LARGER_LIMIT",
			usageLimit: 50,
			currentUsage: 78,
			endDate: "2026-02-07T00:00:00.000Z",
		});
	});

	test("shows the usage period and its ten newest events", () => {
		const { window, usage } = answer.explanation;
		expect(window).toEqual({
			resetPeriod: "MONTH",
			anchor: "2026-01-31T00:00:00.000Z",
			start: "2026-01-31T00:00:00.000Z",
			resetsAt: "2026-02-28T00:00:00.000Z",
		});
		const { lastEvents, ...figures } = usage ?? { lastEvents: [] };
		expect(figures).toEqual({
			counted: 78,
			unitTransformation: null,
			currentUsage: 78,
			requested: 1,
			limit: 2000,
			reserved: 0,
			remaining: 1922,
		});
		expect(lastEvents.map(({ idempotencyKey, value }) => [idempotencyKey, value])).toEqual(
			Array.from({ length: 10 }, (_, at) => [`e${12 - at}`, 12 - at]),
		);
	});

	test("can be read aloud", () => {
		expect(answer.explanation.text).toBe(
			"Customer 'acme' may use calls (calls). The subscription 'sub-1' grants it: plan 'pro' version 1 with 1000; addon 'extra' version 1 with 500, 2 times. 78 of 2000 are used since 31 January 2026 00:00 UTC. 1 more was requested, and 1922 are left. The last event counted was 'call' at 31 January 2026 00:00 UTC. Usage resets to zero on 28 February 2026 00:00 UTC. The promotional entitlement granted on 31 January 2026 00:00 UTC until 7 February 2026 00:00 UTC, with 50, does not, because its limit is reached.",
		);
	});

	test("is an addition to the answer, which is otherwise the same", async () => {
		const { explanation: _, ...plain } = answer;
		expect(plain).toEqual(await ours.get("/check?featureId=calls"));
		expect(await ours.get("/check?featureId=calls&explain=false")).toEqual(plain);
		const list: { entitlements: readonly Explained[] } = await ours.get("?explain=true");
		expect(list.entitlements.map(({ explanation: __, ...one }) => one)).toEqual((await ours.get("")).entitlements);
		expect(list.entitlements.every(({ explanation }) => explanation.text.startsWith("Customer 'acme' may use "))).toBe(
			true,
		);
	});

	test("shows each grant with remaining credits, in the order of consumption, and its subscription", async () => {
		const body = {
			customerId: "acme",
			currencyId: "gold",
			displayName: "Welcome",
			grantType: "PROMOTIONAL",
			amount: 5,
		};
		const given = await ours.call("POST", "/credits/grants", { body: { ...body, priority: 90 } });
		const used = { customerId: "acme", currencyId: "gold", amount: 40, idempotencyKey: "u" };
		await ours.call("POST", "/credits/consumption", { body: used });
		const { explanation } = await ours.explain("currencyId=gold&requestedUsage=30");
		expect(explanation.sources).toMatchObject([
			{
				...{ kind: "CREDIT_GRANT", outcome: "GRANTS", usageLimit: 100, currentUsage: 40 },
				endDate: "2026-02-28T00:00:00.000Z",
				creditGrant: {
					displayName: "Pro",
					grantType: "RECURRING",
					sourceType: "PLAN_ENTITLEMENT",
					subscriptionId: "sub-1",
				},
			},
			{
				...{ id: given.body.data.id, usageLimit: 5, currentUsage: 0, endDate: null },
				creditGrant: { displayName: "Welcome", grantType: "PROMOTIONAL", sourceType: null, subscriptionId: null },
			},
		]);
		expect(explanation.usage).toMatchObject({ limit: 105, currentUsage: 40, remaining: 65, requested: 30 });
		expect(explanation.usage?.lastConsumptions).toEqual([
			{
				...{ timestamp: "2026-01-31T00:00:00.000Z", amount: 40, featureId: null, events: 1 },
				eventId: expect.any(String),
				creditGrantId: explanation.sources[0]?.id ?? "",
			},
		]);
		expect(explanation.text).toBe(
			"Customer 'acme' may use gold (gold). The recurring grant 'Pro' of the subscription 'sub-1' has 100 until 28 February 2026 00:00 UTC; 40 of them are used. The promotional grant 'Welcome' has 5; 0 of them are used. 40 of 105 credits are used. 30 more were requested, and 65 are left. The last use consumed 40 credits, without a feature at 31 January 2026 00:00 UTC.",
		);
	});

	test("shows consumption beyond all grants", async () => {
		const used = { customerId: "acme", currencyId: "gold", amount: 70, idempotencyKey: "more" };
		await ours.call("POST", "/credits/consumption", { body: used });
		const { explanation } = await ours.explain("currencyId=gold");
		expect(explanation.sources).toMatchObject([
			{ outcome: "LIMIT_REACHED", currentUsage: 5, creditGrant: { grantType: "OVERDRAFT" } },
		]);
		expect(explanation.text).toContain("5 credits were used beyond the grants.");
	});
});

test("shows reports and reservations like events", async () => {
	const ours = await shop();
	await provision(ours, { id: "s", planId: "free" });
	await ours.call("POST", "/usage", {
		body: { usages: [{ customerId: "acme", featureId: "calls", value: 4, idempotencyKey: "r1" }] },
	});
	const held = await ours.call("POST", "/customers/acme/entitlements/calls/reservations", {
		body: { amount: 5, expiresIn: 60 },
	});
	expect(held.status).toBe(200);
	const path = "/customers/acme/entitlements/check?featureId=calls&requestedUsage=2&explain=true";
	const { explanation, isGranted } = (await ours.call("GET", path)).body.data;
	expect(isGranted).toBe(false);
	expect(explanation.usage).toMatchObject({
		currentUsage: 4,
		reserved: 5,
		remaining: 1,
		lastEvents: [{ eventName: "$usage.reported", idempotencyKey: "r1", value: 4 }],
	});
	expect(explanation.text).toContain("4 of 10 are used. 5 more are reserved. 2 more were requested, and 1 is left.");
});

describe("denials have a reason", () => {
	let ours: Awaited<ReturnType<typeof site>>;
	beforeAll(async () => {
		ours = await site();
		await provision(ours, { id: "s", planId: "pro", billingPeriod: "MONTHLY", unitQuantity: 1 });
	});
	test.each([
		["featureId=none", "UNKNOWN_OR_NOT_SOLD", "there is no such feature in this environment"],
		["featureId=calls&requestedUsage=1001", "LIMIT_REACHED", "the request exceeds the limit"],
		["featureId=region&requestedValues=eu,us", "VALUES_NOT_ALLOWED", "not all requested values are included"],
		["featureId=sso&requestedUsage=1", "REQUEST_DOES_NOT_FIT", "the request does not fit this kind of feature"],
		["currencyId=gold&requestedUsage=101", "TOO_FEW_CREDITS", "there are not enough credits"],
		["featureId=sso&resourceId=nowhere", "UNKNOWN_OR_NOT_SOLD", "the customer has no such resource"],
	])("%s", async (query, decidedBy, words) => {
		const { explanation, isGranted, accessDeniedReason } = await ours.explain(query);
		expect(explanation.decision).toMatchObject({ isGranted, accessDeniedReason, decidedBy });
		expect(explanation.text).toContain(words);
	});
});

const anySource = fc.record({
	isPromotional: fc.boolean(),
	isTrial: fc.boolean(),
	isRevoked: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
	isUnlimited: fc.boolean(),
	limit: fc.option(fc.nat(5)),
	isSoft: fc.boolean(),
	resetPeriod: fc.constantFrom("MONTH" as const, "DAY" as const, null),
	usage: fc.nat(6),
	isOverBudget: fc.boolean(),
});

describe("the explanation follows the decision:", () => {
	test("the granting source is the shown source, for any sources", () => {
		fc.assert(
			fc.property(
				fc.array(anySource, { maxLength: 5 }),
				fc.option(fc.nat(6)),
				fc.constantFrom("NUMBER" as const, "BOOLEAN" as const),
				(given, requested, featureType) => {
					const candidates = given.map(({ limit, usage, isOverBudget, ...more }): Candidate => {
						const source: Source = {
							...more,
							usageLimit: limit === null ? null : toDecimal(limit),
							enumValues: [],
							resetAnchor: null,
							usageAnchorAt: 0 as Instant,
							updatedAt: 0 as Instant,
						};
						return { source, period: null, usage: toDecimal(usage), isOverBudget };
					});
					const request = requested === null ? {} : { requestedUsage: toDecimal(requested) };
					const decision = decide({ featureType, isMetered: true }, candidates, request);
					const granting = decision.ordered.filter((one) => outcomeOf(decision, one) === "GRANTS");
					expect(granting).toEqual(decision.isGranted && decision.shown ? [decision.shown] : []);
					if (!decision.isGranted)
						expect(decision.ordered.map((one) => outcomeOf(decision, one))).not.toContain("ALSO_GRANTS");
					for (const [at, one] of decision.ordered.entries()) {
						const before = decision.ordered[at - 1];
						if (before)
							expect(precedenceOf(before.source, one.source) === "ALIKE").toBe(
								byGenerosity(before.source, one.source) === 0,
							);
					}
				},
			),
			{ numRuns: 2000 },
		);
	});

	test("through the API, after any history", async () => {
		const ours: World = await shop();
		let runs = 0;
		const step = fc.constantFrom("free", "pro", "own", "gift", "soft gift", "revoke", "cancel", "wait");
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
				runs += 1;
				const customerId = `run-${runs}`;
				const of = `/customers/${customerId}`;
				const post = (path: string, body: object) => ours.call("POST", path, { body });
				const does: Readonly<Record<string, () => unknown>> = {
					free: () => post("/subscriptions", { customerId, planId: "free", id: `s${runs}` }),
					pro: () => post("/subscriptions", { customerId, planId: "pro", billingPeriod: "MONTHLY", unitQuantity: 2 }),
					own: () =>
						post("/subscriptions", {
							customerId,
							planId: "free",
							entitlements: [{ type: "FEATURE", id: "calls", usageLimit: 30 }],
						}),
					gift: () =>
						post(`${of}/promotional-entitlements`, { promotionalEntitlements: [item("calls", { usageLimit: 20 })] }),
					"soft gift": () =>
						post(`${of}/promotional-entitlements`, {
							promotionalEntitlements: [item("calls", { usageLimit: 0, hasSoftLimit: true })],
						}),
					revoke: () => ours.call("DELETE", `${of}/promotional-entitlements/calls`),
					cancel: () => post(`/subscriptions/s${runs}/cancel`, { cancellationTime: "IMMEDIATE" }),
					wait: () => {
						ours.clock.at = (ours.clock.at + 86_400_000) as Instant;
					},
				};
				await post("/customers", { id: customerId });
				for (const name of steps) {
					await does[name]?.();
					for (const requested of [0, 15, 25, 2000]) {
						const path = `${of}/entitlements/check?featureId=calls&requestedUsage=${requested}`;
						const plain = (await ours.call("GET", path)).body.data;
						const { explanation, ...answer } = (await ours.call("GET", `${path}&explain=true`)).body.data;
						expect(answer).toEqual(plain);
						const { sources, decision }: EntitlementExplanation = explanation;
						expect([decision.isGranted, decision.accessDeniedReason]).toEqual([
							plain.isGranted,
							plain.accessDeniedReason,
						]);
						const shown = sources.filter(({ isShown }) => isShown);
						expect(shown.map(({ usageLimit, currentUsage }) => [usageLimit, currentUsage])).toEqual(
							plain.usageLimit === undefined ? [] : [[plain.usageLimit, plain.currentUsage]],
						);
						expect(sources.some(({ outcome }) => outcome === "GRANTS")).toBe(plain.isGranted);
					}
				}
			}),
			{ numRuns: 10 },
		);
	});
});
