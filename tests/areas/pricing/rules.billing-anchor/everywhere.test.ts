import { expect, setDefaultTimeout, test } from "bun:test";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { runImport } from "../../../../src/areas/subscriptions/import/import";
import { claimTask } from "../../../../src/tasks/operations";
import { data } from "../../../graphql/ask";
import { flat, type Till, till } from "../../subscriptions/billing";

setDefaultTimeout(60_000);

const fifteenth = { billingAnchor: { type: "DAY", dayOfMonth: 15 } } as const;
const berlin = { timeZone: "Europe/Berlin" } as const;

async function shop(): Promise<Till> {
	const ours = await till("2026-01-20T12:00:00Z");
	await ours.plan("pro", [flat({ month: 30 })]);
	return ours;
}

test("a preview charges the part that a provision charges", async () => {
	const ours = await shop();
	const body = { customerId: "acme", planId: "pro", ...fifteenth, ...berlin };
	const preview = await ours.insist("POST", "/subscriptions/preview", body);
	await ours.insist("POST", "/subscriptions", body);
	expect(await ours.books()).toEqual(["2026-01-20T12:00: 24.64 = pro 24.64"]);
	expect(preview.immediateInvoice.total).toBe(24.64);
	expect(preview.billingPeriodRange).toEqual({ start: "2026-01-14T23:00:00.000Z", end: "2026-02-14T23:00:00.000Z" });
});

test("GraphQL chooses, shows, changes and clears anchor and zone", async () => {
	const ours = await shop();
	const shown = "refId timeZone billingAnchor { type dayOfMonth firstPeriod }";
	const { provisionSubscription } = await data(
		ours,
		`mutation ($input: ProvisionSubscriptionInput!) { provisionSubscription(input: $input) { subscription { ${shown} } } }`,
		{ input: { customerId: "acme", planId: "pro", ...fifteenth, ...berlin } },
	);
	const { refId, ...terms } = provisionSubscription.subscription;
	expect(terms).toEqual({ ...berlin, billingAnchor: { type: "DAY", dayOfMonth: 15, firstPeriod: null } });
	const { updateSubscription } = await data(
		ours,
		`mutation ($input: UpdateSubscriptionInput!) { updateSubscription(input: $input) { ${shown} } }`,
		{ input: { subscriptionId: refId, billingAnchor: null, timeZone: null } },
	);
	expect(updateSubscription).toMatchObject({ timeZone: null, billingAnchor: null });
	const { updateOneEnvironment } = await data(
		ours,
		'mutation { updateOneEnvironment(input: { timeZone: "Asia/Tokyo", timeZoneSource: CUSTOMER }) { timeZone timeZoneSource } }',
	);
	expect(updateOneEnvironment).toEqual({ timeZone: "Asia/Tokyo", timeZoneSource: "CUSTOMER" });
});

test("an import counts the running period as charged, and bills on the chosen day in its zone", async () => {
	const ours = await shop();
	const { taskId } = await ours.insist("POST", "/subscriptions/import", {
		subscriptions: [
			{ id: "moved", customerId: "acme", planId: "pro", startDate: "2025-12-01T00:00:00Z", ...fifteenth, ...berlin },
		],
	});
	const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));
	if (!task) throw new Error("the import is queued");
	await runImport(ours.thread, task);
	expect(await ours.insist("GET", `/tasks/${taskId}`)).toMatchObject({ status: "COMPLETED" });
	await ours.advance("2026-02-15T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-02-14T23:00: 30 = pro 30"]);
	expect(await ours.insist("GET", "/subscriptions/moved")).toMatchObject({ ...fifteenth, ...berlin });
});

test("a trial that converts, a cancellation at the period's end, and events know the chosen day", async () => {
	const ours = await shop();
	const trialOverrideConfiguration = { isTrial: true, trialEndDate: "2026-02-01T00:00:00Z" };
	const id = await ours.buy("pro", { ...fifteenth, trialOverrideConfiguration });
	await ours.advance("2026-02-02T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-02-01: 13.55 = pro 13.55"]);
	const events = (await ours.call("GET", "/events-out?limit=50")).body.data;
	expect(JSON.stringify(events)).toContain('"currentBillingPeriodEnd":"2026-02-15T00:00:00.000Z"');
	await ours.cancel(id, { cancellationTime: "END_OF_BILLING_PERIOD" });
	expect(await ours.insist("GET", `/subscriptions/${id}`)).toMatchObject({
		cancellationDate: "2026-02-15T00:00:00.000Z",
	});
});

test.each([
	["an anchor", "UPDATE subscriptions SET billing_anchor_at = billing_anchor_at + 86400000"],
	["a zone", "UPDATE subscriptions SET time_zone = 'Asia/Tokyo'"],
	["the zone of a charge", "UPDATE billing_charges SET time_zone = 'Asia/Tokyo', proration_mode = 'BY_DAY'"],
])("the check finds %s that was planted", async (_, planted) => {
	const ours = await shop();
	const id = await ours.buy("pro", { ...fifteenth, ...berlin });
	const drift = () => ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)]);
	expect(drift()).toEqual([]);
	ours.transactions.write(ours.actor, (work) => work.tx.run(planted));
	expect(drift().join()).toContain(id);
});
