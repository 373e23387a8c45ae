import { describe, expect, test } from "bun:test";
import { hasEnded, nextStatuses } from "../../../../src/areas/subscriptions/rules.status";
import type { SubscriptionStatus } from "../../../../src/areas/subscriptions/schema";
import { pro, seatScenario, seats } from "../lifecycle/seats";

const { mine } = seatScenario();

describe("the table of states, walked", () => {
	const awaiting = { planId: "slow-pro", billingPeriod: "MONTHLY", awaitPaymentConfirmation: true };
	const future = { ...pro, startDate: "2026-02-02T00:00:00Z" };
	const tried = (trialEndBehavior: string) => ({
		...pro,
		trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-02-05T00:00:00Z", trialEndBehavior },
	});
	type Step = (id: string, customerId: string) => unknown;
	const turn =
		(iso: string): Step =>
		(_, customerId) =>
			mine.turn(customerId, iso);
	const pay: Step = (id) => mine.post(`/subscriptions/${id}/invoice/paid`);
	const cancelNow: Step = (id) => mine.cancel(id, { cancellationTime: "IMMEDIATE" });
	const cancelOn =
		(endDate: string): Step =>
		(id) =>
			mine.cancel(id, { cancellationTime: "SPECIFIC_DATE", endDate });
	const replace: Step = (_, customerId) => mine.provision({ customerId, ...pro, ...seats(9) });
	const archive: Step = (_, customerId) => mine.post(`/customers/${customerId}/archive`);
	const walks: Array<[string, object, Array<[Step, string]>]> = [
		[
			"PAYMENT_PENDING",
			awaiting,
			[
				[pay, "ACTIVE"],
				[cancelNow, "CANCELED Immediate"],
			],
		],
		["PAYMENT_PENDING", awaiting, [[turn("2026-01-31T23:00:00Z"), "EXPIRED PENDING_PAYMENT_EXPIRED"]]],
		["PAYMENT_PENDING", awaiting, [[cancelNow, "CANCELED Immediate"]]],
		["PAYMENT_PENDING", awaiting, [[replace, "CANCELED UPGRADE_OR_DOWNGRADE"]]],
		["NOT_STARTED", future, [[turn("2026-02-02T00:00:00Z"), "ACTIVE"]]],
		[
			"NOT_STARTED",
			{ ...tried("CONVERT_TO_PAID"), startDate: "2026-02-02T00:00:00Z" },
			[
				[turn("2026-02-02T00:00:00Z"), "IN_TRIAL"],
				[turn("2026-02-05T00:00:00Z"), "ACTIVE"],
			],
		],
		[
			"NOT_STARTED",
			future,
			[
				[cancelOn("2026-02-01T00:00:00Z"), "NOT_STARTED"],
				[turn("2026-03-01T00:00:00Z"), "CANCELED ScheduledCancellation"],
			],
		],
		["IN_TRIAL", tried("CONVERT_TO_PAID"), [[turn("2026-02-05T00:00:00Z"), "ACTIVE"]]],
		["IN_TRIAL", tried("CANCEL_SUBSCRIPTION"), [[turn("2026-02-05T00:00:00Z"), "EXPIRED TRIAL_ENDED"]]],
		["IN_TRIAL", tried("CONVERT_TO_PAID"), [[replace, "CANCELED TRIAL_CONVERTED"]]],
		["ACTIVE", pro, [[cancelNow, "CANCELED Immediate"]]],
		[
			"ACTIVE",
			pro,
			[
				[cancelOn("2026-02-03T00:00:00Z"), "ACTIVE"],
				[turn("2026-02-03T00:00:00Z"), "CANCELED ScheduledCancellation"],
			],
		],
		["ACTIVE", pro, [[replace, "CANCELED UPGRADE_OR_DOWNGRADE"]]],
		["ACTIVE", { planId: "slow-free" }, [[archive, "CANCELED CustomerArchived"]]],
	];
	test.each(walks)("%s, %j", async (first, body, steps) => {
		const customerId = await mine.customer();
		const { id, subscription } = await mine.provision({ customerId, ...body });
		expect(subscription.status).toBe(first);
		let status = subscription.status as SubscriptionStatus;
		for (const [step, expected] of steps) {
			await step(id, customerId);
			const { status: next, cancelReason } = await mine.get(id);
			expect([next, cancelReason].filter(Boolean).join(" ")).toBe(expected);
			if (next !== status) expect(nextStatuses[status]).toContain(next);
			status = next;
		}
		// An ended subscription stays as it is, however much time passes.
		if (!hasEnded(status)) return;
		const ended = await mine.get(id);
		if (!steps.some(([step]) => step === archive)) mine.turn(customerId, "2026-12-01T00:00:00Z");
		expect(await mine.get(id)).toEqual(ended);
	});
});
