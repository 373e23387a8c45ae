import { beforeEach, describe, expect, test } from "bun:test";
import type { World } from "../../support/world";
import { provision, shop } from "../subscriptions/shop";
import { standard } from "./site";

let ours: World;
beforeEach(async () => {
	ours = await shop();
	await ours.advance("2026-02-01T12:00:00Z");
});

const call = async (method: string, path: string, body?: object) =>
	(await ours.call(method, path, { ...(body && { body }) })).body.data;

/** Sells the plan, whose invoice is due at once, under a policy with one reminder and an end after ten days. */
async function sold(action: string, sale: object = {}) {
	const appliesTo = { isDefault: false, planIds: ["basic"] };
	await call("POST", "/dunning-policies", { ...standard, reminders: [0], end: { action, afterDays: 10 }, appliesTo });
	await provision(ours, {
		...{ id: "sub", planId: "basic", billingPeriod: "MONTHLY" },
		...{ billingInformation: { isInvoicePaid: false }, ...sale },
	});
	await ours.advance("2026-02-01T12:00:01Z");
	const [{ invoiceId }] = await call("GET", "/customers/acme/invoices");
	const path = `/customers/acme/invoices/${invoiceId}/collection`;
	expect((await call("GET", path)).case).toMatchObject({ policySource: "PLAN", state: "FINAL_NOTICE" });
	return path;
}

describe("the end of a policy", () => {
	test("CANCEL cancels the subscription of the invoice at once", async () => {
		const path = await sold("CANCEL");
		expect((await call("GET", path)).explanation.at(-1)).toBe(
			"All reminders are used. At 2026-02-11T08:00:00.000Z, the policy's step 10 days after the due date, the policy cancels the subscriptions of the invoice.",
		);
		await ours.advance("2026-02-11T07:59:59Z");
		expect((await call("GET", "/subscriptions/sub")).status).toBe("ACTIVE");
		await ours.advance("2026-02-11T08:00:00Z");
		expect(await call("GET", "/subscriptions/sub")).toMatchObject({
			...{ status: "CANCELED", effectiveEndDate: "2026-02-11T08:00:00.000Z" },
		});
		const { case: ended, steps } = await call("GET", path);
		expect(ended).toMatchObject({ state: "ENDED", endReason: "POLICY_END", problem: null });
		expect(steps.at(-1)).toMatchObject({ kind: "END", days: 10, at: "2026-02-11T08:00:00.000Z" });
	});

	test("PAUSE pauses it, and a case of a paused subscription ends without another pause", async () => {
		await sold("PAUSE");
		await ours.advance("2026-02-12T00:00:00Z");
		expect((await call("GET", "/subscriptions/sub")).status).toBe("PAUSED");
	});

	test("LEAVE_OPEN changes nothing", async () => {
		const path = await sold("LEAVE_OPEN");
		await ours.advance("2026-02-12T00:00:00Z");
		expect((await call("GET", "/subscriptions/sub")).status).toBe("ACTIVE");
		expect(await call("GET", path)).toMatchObject({ state: "OPEN", case: { endReason: "POLICY_END" } });
	});

	test("an end that the life cycle refuses is a problem of the case, and is tried again", async () => {
		const term = { months: 12, earlyCancellation: "AT_TERM_END" };
		const path = await sold("CANCEL", { term });
		await ours.advance("2026-02-11T08:00:00Z");
		const { case: blocked, steps } = await call("GET", path);
		expect(blocked).toMatchObject({
			state: "FINAL_NOTICE",
			problem: { code: "InvalidCancellationDate", attempts: 1, retryAt: "2026-02-11T09:00:00.000Z" },
		});
		expect(steps).toHaveLength(1);
		await ours.advance("2026-02-11T10:00:00Z");
		expect((await call("GET", path)).case.problem).toMatchObject({
			...{ attempts: 2, since: "2026-02-11T08:00:00.000Z", retryAt: "2026-02-11T11:00:00.000Z" },
		});
	});
});
