import { afterAll, describe, expect, test } from "bun:test";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { updateCoupon } from "../../../src/areas/coupons/operations";
import { emitEntitlementChanges } from "../../../src/areas/entitlements/alerts/emit-changes";
import { AlertEvaluation } from "../../../src/areas/entitlements/alerts/evaluate";
import { type EventType, eventTypeNames } from "../../../src/areas/outbox/event-types";
import { disableFailing } from "../../../src/areas/webhooks/operations";
import { sweepTurn } from "../../../src/scheduler/sweep";
import { claimTask, enqueueTask, failTask } from "../../../src/tasks/operations";
import { play } from "../../contract/scenario";
import { type World, world } from "../../support/world";
import { chargedWorlds } from "../collection/charging";
import { meteredSite } from "../credits/charging/events/site";
import { bank, give, take } from "../credits/grants/site";
import { dunningSite } from "../dunning/site";
import { site as alertsSite } from "../entitlements/alerts/site";
import { site as budgetsSite } from "../governance/site";
import { receiptWorld } from "../invoices/receipts/receipt-world";
import { granted, item, prepare } from "../promotional-entitlements/grants";
import { bankDrives } from "./bank-drives";

/** All event types that the drives of this file have emitted. */
const emitted = new Set<string>();
const ajv = addFormats(new Ajv({ strict: false }));
const validators = new Map<string, ReturnType<typeof ajv.compile>>();

/** Compiles a schema once: to compile all of them takes longer than most tests. */
function compiled(schema: object): ReturnType<typeof ajv.compile> {
	const text = JSON.stringify(schema);
	const validate = validators.get(text) ?? ajv.compile(schema);
	validators.set(text, validate);
	return validate;
}

/** The feed of a world, each event held against the schema of its type as the catalogue shows it. */
async function eventsOf(ours: Pick<World, "call">): Promise<Array<Record<string, unknown>>> {
	const types = (await ours.call("GET", "/webhooks/event-types")).body.data;
	const schemas = new Map(types.map((one: { type: string; schema: object }) => [one.type, compiled(one.schema)]));
	const events: Array<Record<string, unknown>> = [];
	for (let after = 0, isLeft = true; isLeft; ) {
		const { body } = await ours.call("GET", `/events-out?after=${after}&limit=1000`);
		events.push(...body.data);
		isLeft = body.data.length > 0;
		after = body.next;
	}
	for (const event of events) {
		const validate = schemas.get(event.type) as ReturnType<typeof ajv.compile>;
		expect([event.type, validate(event), validate.errors]).toEqual([event.type, true, null]);
		emitted.add(String(event.type));
	}
	return events;
}

const typesOf = async (ours: Pick<World, "call">): Promise<unknown[]> => (await eventsOf(ours)).map(({ type }) => type);

describe("each event type is emitted by its cause", () => {
	test("every operation of the interface, with bodies as full as they can be", async () => {
		const { here } = await play();
		const types = await typesOf(here);
		for (const type of ["plan.published", "invoice.credited", "contract.archived", "api_key.rotated", "task.completed"])
			expect(types).toContain(type);
	}, 60_000);

	test("usage of budgets that reaches a threshold, and a denial", async () => {
		const ours = await budgetsSite();
		const entity = { customerId: "acme", entityId: "drafter", featureId: "tokens" };
		await ours.budget({ entityId: "drafter", usageLimit: 4 });
		await ours.call("POST", "/usage-alerts", { body: { ...entity, type: "PERCENT", threshold: 50 } });
		for (const amount of [3, 2]) await ours.consume(amount, { agentId: "drafter" });
		await ours.follow();
		const types = await typesOf(ours);
		expect(types.filter((type) => String(type).startsWith("budget."))).toEqual([
			"budget.exceeded",
			"budget.threshold_reached",
		]);
	});

	test("requests for higher budgets", async () => {
		const ours = await budgetsSite();
		await ours.budget({ entityId: "drafter", usageLimit: 4 });
		for (const verb of ["approve", "decline"]) {
			const body = { entityId: "drafter", featureId: "tokens", amount: 1, duration: "PERIOD" };
			const { id } = (await ours.call("POST", "/customers/acme/budget-requests", { body })).body.data;
			await ours.call("POST", `/budget-requests/${id}/${verb}`, { body: {} });
		}
		const types = await typesOf(ours);
		expect(types.filter((type) => String(type).startsWith("budget."))).toEqual([
			"budget.requested",
			"budget.approved",
			"budget.requested",
			"budget.declined",
		]);
	});

	test("charges of saved payment methods, whatever their end", async () => {
		for (const ours of await chargedWorlds()) await eventsOf(ours);
	});

	test("usage that reaches a threshold, once in a period", async () => {
		const ours = await alertsSite();
		await ours.alert({ type: "PERCENT", threshold: 80 });
		const job = ours.job();
		await job.run();
		for (const units of [85, 5]) {
			await ours.report(units);
			await job.run();
		}
		const exceeded = (await eventsOf(ours)).filter(({ type }) => type === "entitlement.usage_exceeded");
		expect(exceeded).toMatchObject([{ threshold: 80, currentUsage: 85, usageLimit: 100, usageUsedPercentage: 85 }]);
	}, 30_000);

	test("the percentages that an endpoint asks for, without any alert, once in a period", async () => {
		const ours = await alertsSite();
		const job = ours.job();
		expect(await job.run()).toBeUndefined();
		const configuration = { "entitlement.usage_exceeded": { thresholds: [50, 90] } };
		await ours.insist("POST", "/webhooks", { endpoint: "https://example.com/hook", configuration });
		await job.run();
		for (const units of [60, 5, 30]) {
			await ours.report(units);
			await job.run();
		}
		// As after a crash: the log is looked at again.
		await ours.job().run();
		const emitted = async () =>
			(await eventsOf(ours)).flatMap((event) =>
				event.type === "entitlement.usage_exceeded" ? [[event.threshold, event.currentUsage]] : [],
			);
		expect(await emitted()).toEqual([
			[50, 60],
			[90, 95],
		]);
		// An alert of the same percentage is not emitted in addition.
		await ours.alert({ type: "PERCENT", threshold: 50 });
		await ours.advance("P1M");
		await ours.report(55, "acme", { timestamp: "2026-02-28T12:00:00Z" });
		await job.run();
		expect((await emitted()).slice(2)).toEqual([[50, 55]]);
	}, 30_000);

	test("due times, once, on the environment's clock", async () => {
		const ours = await alertsSite();
		const trial = (customerId: string, trialEndDate: string, planId = "pro") => {
			const trialOverrideConfiguration = { isTrial: true, trialEndDate, trialEndBehavior: "CONVERT_TO_PAID" };
			return { customerId, planId, billingPeriod: "MONTHLY", trialOverrideConfiguration };
		};
		for (const id of ["long", "short", "ended"]) await ours.insist("POST", "/customers", { id });
		await ours.insist("POST", "/subscriptions", trial("long", "2026-02-20T00:00:00Z"));
		await ours.insist("POST", "/subscriptions", trial("short", "2026-02-05T00:00:00Z"));
		const { id } = await ours.insist("POST", "/subscriptions", trial("ended", "2026-02-20T00:00:00Z"));
		await ours.insist("POST", `/subscriptions/${id}/cancel`, { cancellationTime: "IMMEDIATE" });
		const gift = (customerId: string, customEndDate: string) =>
			ours.insist("POST", `/customers/${customerId}/promotional-entitlements`, {
				promotionalEntitlements: [item("calls", { period: "custom", customEndDate, usageLimit: 5 })],
			});
		await gift("acme", "2026-02-03T00:00:00Z");
		await gift("beta", "2026-02-03T00:00:00Z");
		await ours.insist("DELETE", "/customers/beta/promotional-entitlements/calls");
		const of = async (type: string) => {
			const emitted = (await eventsOf(ours)).filter((event) => event.type === type);
			return emitted.map((event) => [(event.customer as { id: string }).id, event.timestamp]);
		};
		await ours.advance("2026-02-14T00:00:00Z");
		expect(await of("subscription.trial.ends_soon")).toEqual([
			["short", "2026-01-31T00:00:00.000Z"],
			["long", "2026-02-13T00:00:00.000Z"],
		]);
		expect(await of("promotionalEntitlement.expired")).toEqual([["acme", "2026-02-03T00:00:00.000Z"]]);
		const open = (await ours.call("GET", "/invoices?stateIn=OPEN")).body.data;
		await ours.advance("P3M");
		const overdue = await of("invoice.overdue");
		expect(overdue.length).toBeGreaterThanOrEqual(open.length);
		const rows = ours.db.$client.query("SELECT count(*) AS rows FROM outbox_notices WHERE next_due_at <= ?");
		expect(rows.get(Date.parse("2026-05-14T00:00:00Z"))).toEqual({ rows: 0 });
	}, 30_000);

	test("usage reports and entitlement changes, where an endpoint subscribes to them by name", async () => {
		const ours = world();
		await prepare(ours);
		await granted(ours, item("seats", { usageLimit: 10 }));
		const usage = async (value: number) => {
			const { status } = await ours.call("POST", "/usage", {
				body: { usages: [{ customerId: "acme", featureId: "seats", value }] },
			});
			expect(status).toBeLessThan(300);
		};
		const endpoint = "https://example.com/hook";
		await ours.call("POST", "/webhooks", { body: { endpoint } });
		await usage(3);
		await granted(ours, item("sso"));
		await emitEntitlementChanges(ours.thread);
		const named = ["measurement.reported", "entitlements.updated"];
		const emitted = async () => (await eventsOf(ours)).filter(({ type }) => named.includes(String(type)));
		expect(await emitted()).toEqual([]);
		await ours.call("POST", "/webhooks", { body: { endpoint, eventLogTypes: named } });
		await usage(4);
		expect(await emitted()).toMatchObject([
			{
				...{ type: "measurement.reported", customer: { id: "acme" }, feature: { id: "seats" }, resource: null },
				...{ currentChange: 4, currentUsage: 7, usageLimit: 10, usageUsedPercentage: 70, hasUnlimitedUsage: false },
			},
		]);
		await granted(ours, item("audit"));
		await emitEntitlementChanges(ours.thread);
		await emitEntitlementChanges(ours.thread);
		const [change, ...more] = (await emitted()).slice(1);
		expect(more).toEqual([]);
		expect(change).toMatchObject({ trigger: "promotional_entitlement_updated", customer: { id: "acme" } });
		expect(change?.entitlements).toHaveLength(3);
	}, 30_000);

	test("credits that run low, and out", async () => {
		const ours = await meteredSite();
		const job = new AlertEvaluation(ours.thread);
		const body = { currencyId: "gold", type: "PERCENT", threshold: 80 };
		await ours.call("POST", "/usage-alerts", { body });
		for (const [at, amount] of [85, 15].entries()) {
			const use = { customerId: "acme", currencyId: "gold", amount, idempotencyKey: `u${at}` };
			await ours.call("POST", "/credits/consumption", { body: use });
			await job.run();
		}
		const types = await typesOf(ours);
		for (const type of ["credit_balance.low", "credit_grant.depleted", "credit_balance.depleted"])
			expect(types).toContain(type);
	});

	test("grants that expire, and recharges up to their limit", async () => {
		const ours = await bank();
		await give(ours);
		const body = {
			...{ customerId: "acme", currencyId: "gold", isEnabled: true, thresholdType: "CREDIT_AMOUNT" },
			...{ thresholdValue: 10, targetBalance: 100, maxSpendLimit: 50, grantExpirationPeriod: "1_MONTH" },
			unitPrice: { amount: 0.5, currency: "usd" },
		};
		await ours.call("PUT", "/credits/auto-recharge", { body });
		take(ours, 95);
		while (!(await sweepTurn({ ...ours.thread, actor: ours.actor, onStep: () => {} })));
		await give(ours, { expireAt: "2026-02-02T00:00:00Z" });
		await ours.advance("P3D");
		const events = await eventsOf(ours);
		expect(events.filter(({ type }) => type === "automatic_recharge.operation.attempted")).toMatchObject([
			{ status: "AWAITS_PAYMENT", amount: 95 },
		]);
		const limits = events.filter(({ type }) => type === "credits.automatic_recharge_limit_exceeded");
		expect(limits.map(({ percentage }) => percentage)).toEqual([80, 90]);
		expect(events.map(({ type }) => type)).toContain("credit_grant.expired");
	});

	test("trials that are converted, replaced and over, pauses, and agreed ends", async () => {
		const ours = await alertsSite();
		const trial = (customerId: string, trialEndBehavior: string) => {
			const trialOverrideConfiguration = { isTrial: true, trialEndDate: "2026-02-05T00:00:00Z", trialEndBehavior };
			return { customerId, planId: "pro", billingPeriod: "MONTHLY", trialOverrideConfiguration };
		};
		for (const id of ["converted", "replaced", "over", "paused"]) await ours.insist("POST", "/customers", { id });
		await ours.insist("POST", "/subscriptions", trial("converted", "CONVERT_TO_PAID"));
		await ours.insist("POST", "/subscriptions", trial("over", "CANCEL_SUBSCRIPTION"));
		await ours.insist("POST", "/subscriptions", trial("replaced", "CONVERT_TO_PAID"));
		await ours.insist("POST", "/subscriptions", { customerId: "replaced", planId: "pro", billingPeriod: "MONTHLY" });
		const sold = { id: "sold", customerId: "paused", planId: "pro", billingPeriod: "MONTHLY" };
		await ours.insist("POST", "/subscriptions", sold);
		await ours.insist("POST", "/subscriptions/sold/pause", { resumeAt: "2026-02-05T00:00:00Z" });
		await ours.insist("POST", "/customers", { id: "phased" });
		const phases = [{ id: "half", duration: { unit: "DAY", count: 2 }, percentOff: 50 }];
		const ramp = { customerId: "phased", planId: "pro", billingPeriod: "MONTHLY", phases };
		await ours.insist("POST", "/subscriptions", { ...ramp, trialOverrideConfiguration: { isTrial: false } });
		await ours.insist("POST", "/customers", { id: "termed" });
		const termed = { customerId: "termed", planId: "pro", billingPeriod: "MONTHLY", term: { months: 1 } };
		await ours.insist("POST", "/subscriptions", { ...termed, startDate: "2026-01-05T00:00:00Z" });
		await ours.advance("2026-02-06T00:00:00Z");
		const events = await eventsOf(ours);
		const of = (customer: string) =>
			events.filter(
				(event) => (event.customer as { id: string })?.id === customer && String(event.type).startsWith("sub"),
			);
		expect(of("converted").map(({ type }) => type)).toEqual([
			...["subscription.created", "subscription.trial_started", "subscription.trial.ends_soon"],
			...["subscription.trial_converted", "subscription.updated"],
		]);
		expect(of("over").map(({ type }) => type)).toEqual([
			...["subscription.created", "subscription.trial_started", "subscription.trial.ends_soon"],
			...["subscription.trial_expired", "subscription.expired"],
		]);
		expect(of("paused").map(({ type }) => type)).toEqual([
			...["subscription.created", "subscription.paused", "subscription.updated"],
			...["subscription.resumed", "subscription.updated"],
		]);
		expect(of("phased").map(({ type }) => type)).toEqual([
			...["subscription.created", "subscription.phase_changed", "subscription.updated"],
		]);
		expect(of("termed").map(({ type }) => type)).toEqual([
			...["subscription.created", "subscription.term_renewed", "subscription.updated"],
			"subscription.updated",
		]);
		const reasons = [...of("converted"), ...of("replaced")].flatMap((event) => event.conversionReason ?? []);
		expect(reasons).toEqual(["TRIAL_ENDED", "PAID_SUBSCRIPTION_PROVISIONED"]);
	}, 30_000);

	test("disputes and their states; a reminder", async () => {
		const reminded = await dunningSite();
		await reminded.bill("2026-02-01");
		expect(await typesOf(reminded)).toContain("dunning.reminder_issued");
		const { call, record, post } = receiptWorld();
		const { receiptId } = (await record({ amount: 100 })).data;
		const { disputeId } = (await post(`/receipts/${receiptId}/disputes`, { amount: 10 })).data;
		await post(`/disputes/${disputeId}/state`, { state: "WON" });
		const types = (await typesOf({ call })).filter((type) => String(type).startsWith("dispute"));
		expect(types).toEqual(["dispute.created", "dispute.updated"]);
	});

	test("bank statements, mandates and direct debits", async () => {
		for (const [drive, prefixes, count] of bankDrives) {
			const types = new Set((await typesOf(await drive())).filter((type) => prefixes.test(String(type))));
			expect(types.size).toBe(count);
		}
	});

	test("receipts that pay later, and whose allocation is undone, whose money is refunded and withdrawn", async () => {
		const { bill, call, record, post } = receiptWorld();
		const { receiptId } = (await record({ amount: 100 })).data;
		const path = `/receipts/${receiptId}`;
		const paying = { allocations: [{ invoiceId: bill(60).id, amount: 60 }] };
		const [allocation] = (await post(`${path}/allocations`, paying)).data.allocations;
		await post(`${path}/allocations/${allocation.allocationId}/reverse`, {});
		await post(`${path}/refunds`, { amount: 30 });
		await post(`${path}/return`, { reason: "CHARGEBACK" });
		expect((await typesOf({ call })).filter((type) => String(type).startsWith("receipt"))).toEqual([
			...[
				"receipt.created",
				"receipt.allocated",
				"receipt.allocation_reversed",
				"receipt.refunded",
				"receipt.returned",
			],
		]);
	});

	test("features that are granted again", async () => {
		const ours = world();
		await prepare(ours);
		await granted(ours, item("sso"));
		await granted(ours, item("sso"));
		const types = (await typesOf(ours)).filter((type) => String(type).startsWith("promotional"));
		expect(types).toEqual(["promotionalEntitlement.granted", "promotionalEntitlement.updated"]);
	});

	test("an abandoned task, and an endpoint that fails for days", async () => {
		const ours = world();
		ours.transactions.write(ours.actor, (work) => {
			enqueueTask(work, { type: "SIMULATE_PLAN", payload: {} });
		});
		for (let attempts = 0; attempts < 5; attempts += 1) {
			ours.transactions.write(ours.actor, (work) => {
				const task = claimTask(work, ["SIMULATE_PLAN"]);
				if (task) failTask(work, task, "no luck");
			});
			ours.clock.at = (ours.clock.at + 3_600_000) as never;
		}
		const { body } = await ours.call("POST", "/webhooks", { body: { endpoint: "https://example.com/hook" } });
		ours.transactions.write(ours.actor, (work) => void disableFailing(work, body.data.id, "No luck."));
		expect(await typesOf(ours)).toEqual(
			expect.arrayContaining(["task.failed", "webhook.disabled"] satisfies EventType[]),
		);
	});
});

test("an undone change emits nothing, and a change emits nothing but itself", async () => {
	const ours = world();
	const create = { id: "TEN", name: "Ten", description: null, percentOff: 10, amountsOff: null };
	await ours.call("POST", "/coupons", { body: { ...create, durationInMonths: null, metadata: null } });
	const before = (await eventsOf(ours)).length;
	expect(() =>
		ours.transactions.write(ours.actor, (work) => {
			updateCoupon(work, "TEN", { name: "Other" });
			throw new Error("undone");
		}),
	).toThrow("undone");
	await ours.call("POST", "/coupons", { body: { ...create, durationInMonths: null, metadata: null } });
	expect((await eventsOf(ours)).length).toBe(before);
	await ours.call("PATCH", "/coupons/TEN", { body: { name: "Third" } });
	const [event] = (await eventsOf(ours)).slice(before);
	expect(event).toMatchObject({ type: "coupon.updated", id: "TEN", name: "Third", actor: { type: "APP_SERVER" } });
});

test("each example is of its type's schema", async () => {
	const { body } = await world().call("GET", "/webhooks/event-types");
	expect(body.data.map(({ type }: { type: string }) => type)).toEqual(eventTypeNames);
	for (const { type, schema, example } of body.data) {
		const validate = ajv.compile(schema);
		expect([type, validate(example), validate.errors]).toEqual([type, true, null]);
	}
});

afterAll(() => {
	expect(eventTypeNames.filter((type) => !emitted.has(type))).toEqual([]);
});
