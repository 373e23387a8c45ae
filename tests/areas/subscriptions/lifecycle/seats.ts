import { expect } from "bun:test";
import { scenario } from "../scenario";

export const seats = (quantity: number) => ({ charges: [{ id: "seats", quantity, type: "FEATURE" }] });
export const pro = { planId: "slow-pro", billingPeriod: "MONTHLY" };
export const basic = { planId: "slow-basic", billingPeriod: "MONTHLY" };
export const end = "2026-02-28T00:00:00.000Z";

export const update = (subscriptionScheduleType: string, targetPackage: object | null = null, at = end) => ({
	subscriptionScheduleType,
	scheduleStatus: "SCHEDULED",
	scheduledExecutionTime: at,
	targetPackage,
});

/** The scenario of subscriptions to `slow-pro`. A test file calls this once, at its top. */
export function seatScenario() {
	const mine = scenario();

	async function begun(body: object = {}) {
		const customerId = await mine.customer();
		const { id } = await mine.provision({ customerId, ...pro, ...body });
		return { customerId, id };
	}

	async function changed(id: string, body: object) {
		const { status, body: answer } = await mine.patch(id, body);
		if (status !== 200) expect(answer).toEqual({ status: 200 });
		return answer.data;
	}

	return { mine, begun, changed };
}
