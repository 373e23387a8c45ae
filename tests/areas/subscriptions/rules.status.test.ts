import { beforeAll, describe, expect, test } from "bun:test";
import { nextStatuses } from "../../../src/areas/subscriptions/rules.status";
import type { SubscriptionStatus } from "../../../src/areas/subscriptions/schema";
import { changeStatus, selectByRef } from "../../../src/areas/subscriptions/store";
import { DomainError } from "../../../src/kernel/errors";
import type { World } from "../../support/world";
import { provision, shop } from "./shop";

/** Which status may follow which, as the READMEs have it: not taken from the table that is tested. */
const follows: Readonly<Record<SubscriptionStatus, string>> = {
	NOT_STARTED: "PAYMENT_PENDING IN_TRIAL ACTIVE CANCELED EXPIRED",
	PAYMENT_PENDING: "ACTIVE CANCELED EXPIRED",
	IN_TRIAL: "ACTIVE CANCELED EXPIRED",
	ACTIVE: "PAUSED CANCELED EXPIRED",
	PAUSED: "ACTIVE CANCELED EXPIRED",
	CANCELED: "",
	EXPIRED: "NOT_STARTED",
};
const statuses = Object.keys(follows) as SubscriptionStatus[];
const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));

describe("the status of a subscription", () => {
	let ours: World;
	beforeAll(async () => {
		ours = await shop();
		await provision(ours, { id: "s", planId: "basic" });
	});
	const row = () => {
		const found = ours.transactions.read(ours.actor, (work) => selectByRef(work, "s"));
		if (!found) throw new Error("there is a subscription");
		return found;
	};

	test.each(pairs)("from %s to %s", (from, to) => {
		ours.db.$client.run("UPDATE subscriptions SET status = ?", [from]);
		const before = row();
		const isAllowed = follows[from].split(" ").includes(to);
		const change = () =>
			ours.transactions.write(ours.actor, (work) => changeStatus(work, before, to, { billingId: "b" }));
		if (isAllowed) {
			expect(change().status).toBe(to);
			expect(row()).toMatchObject({ status: to, billingId: "b" });
			ours.db.$client.run("UPDATE subscriptions SET billing_id = NULL");
			return;
		}
		expect(change).toThrow(DomainError);
		expect(change).toThrow(`'s' is ${from} and cannot become ${to}`);
		expect(row()).toEqual(before);
	});

	test("reaches every value, and every value can end, except for those that are ends", () => {
		const reached = new Set(Object.values(nextStatuses).flat());
		expect(statuses.filter((status) => !reached.has(status))).toEqual([]);
		for (const status of statuses)
			expect(nextStatuses[status].includes("CANCELED")).toBe(status !== "CANCELED" && status !== "EXPIRED");
	});
});
