import { expect, setDefaultTimeout, test } from "bun:test";
import { linesOf } from "../../../../../src/areas/invoices/document/lines";
import { writingFor } from "../../../../../src/areas/invoices/document/writing";
import { invoicesByIds, linesByInvoice } from "../../../../../src/areas/invoices/operations";
import { flat, till } from "../../../subscriptions/billing";

setDefaultTimeout(60_000);

/** A payer with two subscriptions of children and one of its own. */
async function shared() {
	const ours = await till("2026-03-01T00:00:00Z");
	await ours.customer("group", { invoiceGrouping: "CONSOLIDATED" });
	await ours.plan("pro", [flat({ month: 30 })]);
	await ours.buy("pro", { id: "of-group", customerId: "group" });
	for (const id of ["north", "south"]) {
		await ours.customer(id, { name: `The ${id}`, parentCustomerId: "group", billsTo: "PARENT" });
		await ours.buy("pro", { id: `of-${id}`, customerId: id });
	}
	const graphql = async (query: string) => (await ours.call("POST", "/graphql", { body: { query } })).body;
	return { ...ours, graphql };
}

test("a customer shows the setting only if it is CONSOLIDATED; an update and an import change it", async () => {
	const ours = await shared();
	const plain = await ours.customer("plain", { invoiceGrouping: "SEPARATE" });
	expect(plain).not.toHaveProperty("invoiceGrouping");
	const shown = async (id: string) => (await ours.insist("GET", `/customers/${id}`)).invoiceGrouping;
	expect(await shown("group")).toBe("CONSOLIDATED");
	const item = { name: null, email: null };
	const imported = (id: string, more: object = {}) =>
		ours.insist("POST", "/customers/import", { customers: [{ id, ...item, ...more }] });
	await imported("group");
	expect(await shown("group")).toBe("CONSOLIDATED");
	await imported("fresh", { invoiceGrouping: "CONSOLIDATED" });
	expect(await shown("fresh")).toBe("CONSOLIDATED");
	await imported("fresh", { invoiceGrouping: "SEPARATE" });
	expect(await shown("fresh")).toBeUndefined();
	await ours.insist("PATCH", "/customers/plain", { invoiceGrouping: "CONSOLIDATED" });
	await ours.insist("PATCH", "/customers/plain", { name: "Plain" });
	expect(await shown("plain")).toBe("CONSOLIDATED");
});

test.each([["BOTH"], [null], [1], [["CONSOLIDATED"]], [{}]])(
	"invoiceGrouping %p is rejected",
	async (invoiceGrouping) => {
		const ours = await till("2026-03-01T00:00:00Z");
		for (const [method, path, body] of [
			["POST", "/customers", { id: "other", invoiceGrouping }],
			["PATCH", "/customers/acme", { invoiceGrouping }],
			["POST", "/customers/import", { customers: [{ id: "acme", name: null, email: null, invoiceGrouping }] }],
		] as const) {
			const answer = await ours.call(method, path, { body });
			expect([answer.status, answer.body.code]).toEqual([400, "BadUserInput"]);
			expect(answer.body.message).toContain("invoiceGrouping");
		}
		expect(await ours.insist("GET", "/customers/acme")).not.toHaveProperty("invoiceGrouping");
	},
);

test("GraphQL reads and writes the setting, and previews the lines of one subscription", async () => {
	const ours = await shared();
	const grouping = async (id: string) =>
		(await ours.graphql(`{ getCustomerByRefId(input: {customerId: "${id}"}) { invoiceGrouping } }`)).data
			.getCustomerByRefId.invoiceGrouping;
	expect([await grouping("group"), await grouping("north")]).toEqual(["CONSOLIDATED", "SEPARATE"]);
	await ours.graphql(
		'mutation { updateCustomer(input: {customerId: "north", invoiceGrouping: CONSOLIDATED}) { invoiceGrouping } }',
	);
	expect(await grouping("north")).toBe("CONSOLIDATED");
	const preview = 'mutation { previewNextInvoice(input: {subscriptionId: "of-south"}) { total { amount } issueDate } }';
	const { total, issueDate } = (await ours.graphql(preview)).data.previewNextInvoice;
	expect([total.amount, issueDate]).toEqual([30, "2026-04-01T00:00:00.000Z"]);
	await ours.advance("2026-04-01T00:00:00Z");
	const [invoice] = (await ours.insist("GET", "/customers/group/invoices?limit=100")).slice(-1);
	expect(invoice.total).toBe(90);
	expect(await grouping("group")).toBe("CONSOLIDATED");
});

test("the document names the customer or the subscription above the lines; every line is explained", async () => {
	const ours = await shared();
	await ours.advance("2026-04-01T00:00:00Z");
	const { invoiceId } = (await ours.insist("GET", "/customers/group/invoices?limit=100")).at(-1);
	const groups = ours.transactions.read(ours.actor, (work) => {
		const invoice = invoicesByIds(work, [invoiceId]).get(invoiceId);
		if (!invoice) throw new Error("the invoice is there");
		const lines = linesByInvoice(work, [invoice]).get(invoiceId) ?? [];
		return linesOf(invoice, lines, writingFor(invoice), (refId) => `Name of ${refId}`).map(({ group }) => group);
	});
	expect(groups.toSorted()).toEqual(["Name of north", "Name of south", "of-group"]);
	for (const line of [1, 2, 3]) {
		const explained = await ours.call("GET", `/customers/group/invoices/${invoiceId}/lines/${line}/explain`);
		expect(explained.status).toBe(200);
	}
});

test("events about the invoice name its subscriptions; those of other invoices stay as they are", async () => {
	const ours = await shared();
	await ours.advance("2026-04-01T00:00:00Z");
	const events: Array<Record<string, unknown>> = await ours.insist("GET", "/events-out?limit=500");
	const created = events.filter(({ type }) => type === "invoice.created");
	expect(created.at(-1)).toMatchObject({ subscription: null, subscriptionsCount: 3, total: 90 });
	const named = created.at(-1)?.subscriptions as Array<{ id: string }>;
	expect(named.map(({ id }) => id).toSorted()).toEqual(["of-group", "of-north", "of-south"]);
	for (const event of created.slice(0, -1)) {
		expect(event.subscription).not.toBeNull();
		expect(event).not.toHaveProperty("subscriptionsCount");
	}
});
