import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { apply } from "../../../catalog/files";
import { till } from "../../billing";

const page = readFileSync(join(import.meta.dir, "../../../../../docs/pricing.md"), "utf8");
const catalogue = page.split("cat > hard.yaml <<'END'\n")[1]?.split("\nEND\n")[0] ?? "";

interface Document {
	readonly issueDate: string;
	readonly total: number;
	readonly lineItems: ReadonlyArray<{ readonly amount: number }>;
}

test("everything at once: the amounts of docs/pricing.md, each line explained, and sound books", async () => {
	const ours = await till("2030-01-14T23:00:00Z");
	apply(ours, catalogue);
	await ours.customer("group", { invoiceGrouping: "CONSOLIDATED" });
	const seats = (quantity: number) => ({ charges: [{ id: "feature-desks", quantity, type: "FEATURE" }] });
	const ids: Record<string, string> = {};
	for (const customerId of ["berlin", "rome", "wien"]) {
		await ours.customer(customerId, { parentCustomerId: "group", billsTo: "PARENT" });
		ids[customerId] = await ours.buy("plan-cloud", { customerId, timeZone: "Europe/Berlin", ...seats(10) });
	}
	const timestamp = "2030-01-14T23:00:00Z";
	const events = [
		["generated", "berlin", { millions: 3.2, model: "large", region: "eu" }],
		["generated", "berlin", { millions: 1.5, model: "large", region: "us" }],
		...[20, 250, 2000].map((value) => ["paid", "rome", { value }] as const),
	] as const;
	await ours.insist("POST", "/events", {
		events: events.map(([eventName, customerId, dimensions], nth) => {
			return { eventName, customerId, dimensions, idempotencyKey: `event-${nth}`, timestamp };
		}),
	});
	ours.countUsage();
	await ours.advance("2030-02-21T23:00:00Z");
	await ours.change(ids.berlin ?? "", { effectiveDate: "2030-02-14T23:00:00Z", ...seats(15) });
	await ours.insist("POST", `/subscriptions/${ids.wien}/pause`, { resumeAt: "2030-02-28T23:00:00Z" });
	await ours.advance("2030-04-14T22:00:00Z");

	const invoices = await ours.insist("GET", "/customers/group/invoices?limit=50");
	const shown = ({ issueDate, total, lineItems }: Document): string =>
		`${issueDate.slice(0, 10)} ${total}: ${lineItems.map(({ amount }) => amount).join(" ")}`;
	expect(invoices.map(shown)).toEqual([
		...Array.from({ length: 3 }, () => "2030-01-14 238: 100 100"),
		"2030-02-14 772: 100 100 36.77 100 100 3.13 5.71 100 100 3.13",
		"2030-02-21 59.5: -100 150",
		"2030-02-28 119: 50 50",
		"2030-03-14 1555.4: 2.82 200 300 2.82 200 200 1.41 200 200",
		"2030-04-14 1569.29: 200 300 6.24 200 200 6.24 200 200 6.24",
	]);
	expect((await ours.insist("GET", "/customers/group/credit-notes")).map(shown)).toEqual([
		"2030-02-21 177.66: 75 75 -0.71",
	]);
	for (const { invoiceId, lineItems } of invoices)
		for (const nth of lineItems.keys()) {
			const explained = await ours.insist("GET", `/customers/group/invoices/${invoiceId}/lines/${nth + 1}/explain`);
			expect(explained.steps.length).toBeGreaterThan(0);
		}
	expect(ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)])).toEqual([]);
});
