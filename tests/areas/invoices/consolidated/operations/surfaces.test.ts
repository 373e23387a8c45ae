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

test("GraphQL reads and writes the setting, and previews the invoice of all subscriptions", async () => {
	const ours = await shared();
	const grouping = async (id: string) =>
		(await ours.graphql(`{ getCustomerByRefId(input: {customerId: "${id}"}) { invoiceGrouping } }`)).data
			.getCustomerByRefId.invoiceGrouping;
	expect([await grouping("group"), await grouping("north")]).toEqual(["CONSOLIDATED", "SEPARATE"]);
	await ours.graphql(
		'mutation { updateCustomer(input: {customerId: "north", invoiceGrouping: CONSOLIDATED}) { invoiceGrouping } }',
	);
	expect(await grouping("north")).toBe("CONSOLIDATED");
	const preview =
		'mutation { previewNextInvoice(input: {subscriptionId: "of-south"}) { total { amount } issueDate isComplete lines { subscriptionId customerId subTotal { amount } } } }';
	const next = async () => (await ours.graphql(preview)).data.previewNextInvoice;
	const line = (name: string, customerId: string | null) => ({
		subscriptionId: `of-${name}`,
		customerId,
		subTotal: { amount: 30 },
	});
	expect(await next()).toEqual({
		total: { amount: 90 },
		issueDate: "2026-04-01T00:00:00.000Z",
		isComplete: true,
		lines: [line("group", null), line("north", "north"), line("south", "south")],
	});
	// A named payer goes before the parent, a child that pays itself and another date are left out.
	await ours.customer("guest");
	await ours.buy("pro", { id: "of-guest", customerId: "guest", payingCustomerId: "group" });
	await ours.customer("east", { parentCustomerId: "group" });
	await ours.buy("pro", { id: "of-east", customerId: "east" });
	const ofNext = async () => (await next()).lines.map((one: { subscriptionId: string }) => one.subscriptionId);
	expect(await ofNext()).toEqual(["of-group", "of-north", "of-south", "of-guest"]);
	await ours.cancel("of-guest");
	expect(await ofNext()).toEqual(["of-group", "of-north", "of-south"]);
	await ours.advance("2026-04-01T00:00:00Z");
	const [invoice] = (await ours.insist("GET", "/customers/group/invoices?limit=100")).slice(-1);
	expect(invoice.total).toBe(90);
	expect(await grouping("group")).toBe("CONSOLIDATED");
});

test("a preview leaves out a subscription that cannot be billed, and says so; a payer of separate invoices sees one", async () => {
	const ours = await shared();
	const preview = async () => {
		const query =
			'mutation { previewNextInvoice(input: {subscriptionId: "of-south"}) { total { amount } isComplete } }';
		return (await ours.graphql(query)).data.previewNextInvoice;
	};
	ours.db.$client.run(
		`CREATE TRIGGER refuse BEFORE UPDATE ON subscriptions WHEN old.ref_id = 'of-north' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
	);
	expect(await preview()).toEqual({ total: { amount: 60 }, isComplete: false });
	ours.db.$client.run("DROP TRIGGER refuse");
	await ours.insist("PATCH", "/customers/group", { invoiceGrouping: "SEPARATE" });
	expect(await preview()).toEqual({ total: { amount: 30 }, isComplete: true });
});

test("a preview runs at most sixty steps of a payer", async () => {
	const ours = await shared();
	await ours.customer("many", { parentCustomerId: "group", billsTo: "PARENT" });
	for (let nth = 0; nth < 59; nth += 1) {
		await ours.insist("POST", "/customers", { id: `c${nth}`, parentCustomerId: "group", billsTo: "PARENT" });
		await ours.buy("pro", { id: `s${nth}`, customerId: `c${nth}` });
	}
	const query =
		'mutation { previewNextInvoice(input: {subscriptionId: "of-south"}) { isComplete lines { subscriptionId } } }';
	const { isComplete, lines } = (await ours.graphql(query)).data.previewNextInvoice;
	expect([isComplete, lines.length]).toEqual([false, 60]);
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
