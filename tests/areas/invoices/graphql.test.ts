import { beforeEach, describe, expect, test } from "bun:test";
import type { Instant } from "../../../src/kernel/clock";
import { ask, codes, data, nodes } from "../../graphql/ask";
import { mutate } from "../../graphql/mutate";
import type { World } from "../../support/world";
import { invoicesOf, provision, shop } from "../subscriptions/shop";

let ours: World;
beforeEach(async () => {
	ours = await shop();
	await provision(ours, {
		id: "sub",
		planId: "pro",
		billingPeriod: "MONTHLY",
		charges: [{ id: "seats", type: "FEATURE", quantity: 3 }],
	});
});

const fields = `id number status billingReason currency issueDate dueDate paidDate subTotal { amount currency } total { amount }
	lines { description quantity unitPrice { amount currency } amount { amount } productId } customer { refId }`;
const list = `query ($input: InvoicesInput!) { invoices(input: $input) { edges { cursor node { ${fields} } }
	pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

interface Shown {
	readonly id: string;
	readonly lines: readonly { readonly description: string }[];
}

describe("invoices", () => {
	test("are those of REST, by pages in either direction", async () => {
		await provision(ours, {
			planId: "pro",
			billingPeriod: "MONTHLY",
			charges: [{ id: "seats", type: "FEATURE", quantity: 9 }],
		});
		const rest = await invoicesOf(ours);
		expect(rest.length).toBeGreaterThanOrEqual(2);
		const page = async (input: object) =>
			(await data(ours, list, { input: { customerId: "acme", ...input } })).invoices;
		const all = nodes<Shown>(await page({}));
		expect(all.map(({ id }) => id)).toEqual(rest.map(({ invoiceId }) => invoiceId));
		expect(all[0]).toMatchObject({
			number: rest[0].invoiceNumber,
			status: rest[0].state,
			currency: "USD",
			issueDate: rest[0].issueDate,
			total: { amount: rest[0].total },
			customer: { refId: "acme" },
		});
		expect(all[0]?.lines.map(({ description }) => description)).toEqual(
			rest[0].lineItems.map(({ description }: { description: string }) => description),
		);
		const first = await page({ paging: { first: 1 } });
		expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
		const second = await page({ paging: { first: 1, after: first.pageInfo.endCursor } });
		expect(nodes<{ id: string }>(second)[0]?.id).toBe(rest[1].invoiceId);
		const back = await page({ paging: { last: 1, before: second.pageInfo.startCursor } });
		expect(nodes<{ id: string }>(back)[0]?.id).toBe(rest[0].invoiceId);
		const newest = nodes<{ id: string }>(await page({ orderDirection: "DESC", paging: { first: 100 } }));
		expect(newest.map(({ id }) => id)).toEqual(rest.map(({ invoiceId }) => invoiceId).reverse());
		expect(nodes(await page({ statusIn: ["CANCELED"] }))).toEqual([]);
	});

	test("one by its id, and what is refused", async () => {
		const [{ invoiceId }] = await invoicesOf(ours);
		const one = 'query ($id: String!) { invoice(customerId: "acme", id: $id) { id number } }';
		expect((await data(ours, one, { id: invoiceId })).invoice.id).toBe(invoiceId);
		expect(codes(await ask(ours, one, { id: "none" }))).toEqual(["InvoiceNotFound"]);
		expect(codes(await ask(ours, list, { input: { customerId: "nobody" } }))).toEqual(["CustomerNotFound"]);
		expect(codes(await ask(ours, list, { input: { customerId: "acme", paging: { first: 101 } } }))).toEqual([
			"BadUserInput",
		]);
		expect(codes(await ask(ours, list, { input: { customerId: "acme", paging: { after: "none" } } }))).toEqual([
			"InvoiceNotFound",
		]);
		const key = ours.scopedKey("CUSTOMER:READ");
		expect(codes(await ask(ours, one, { id: invoiceId }, { key }))).toEqual(["AccessDeniedError"]);
		expect(codes(await ask(ours, one, { id: invoiceId }, { key: ours.foreignKey }))).toEqual(["CustomerNotFound"]);
	});
});

describe("the next invoice", () => {
	const selection = `{ currency issueDate dueDate billingPeriodRange { start end } subTotal { amount currency } total { amount }
		lines { description quantity subTotal { amount } } }`;
	const next = async (subscriptionId: string, options: object = {}) =>
		mutate(ours, "previewNextInvoice", { subscriptionId }, { selection, ...options });

	test("is what the renewal then issues, and nothing is done", async () => {
		const before = await invoicesOf(ours);
		const previewed = (await next("sub")).data.previewNextInvoice;
		expect(await invoicesOf(ours)).toEqual(before);
		expect(previewed).toMatchObject({
			currency: "USD",
			issueDate: "2026-02-28T00:00:00.000Z",
			billingPeriodRange: { start: "2026-02-28T00:00:00.000Z", end: "2026-03-31T00:00:00.000Z" },
			subTotal: { amount: 35, currency: "USD" },
		});
		ours.clock.at = Date.parse("2026-02-28T00:00:00.000Z") as Instant;
		await ours.call("PATCH", "/subscriptions/sub", { body: { metadata: { turned: "yes" } } });
		const issued = (await invoicesOf(ours)).at(-1);
		expect([issued.issueDate, issued.total]).toEqual([previewed.issueDate, previewed.total.amount]);
		expect(issued.lineItems.map(({ amount }: { amount: number }) => amount)).toEqual(
			previewed.lines.map(({ subTotal }: { subTotal: { amount: number } }) => subTotal.amount),
		);
	});

	test("is null where nothing will be invoiced", async () => {
		await ours.call("POST", "/customers", { body: { id: "free" } });
		await provision(ours, { customerId: "free", id: "freely", planId: "free" });
		expect(await next("freely")).toEqual({ data: { previewNextInvoice: null } });
		await ours.call("POST", "/subscriptions/sub/cancel", { body: { cancellationTime: "IMMEDIATE" } });
		expect((await next("sub")).data).toEqual({ previewNextInvoice: null });
	});

	test("is refused for what is not there, or not seen", async () => {
		expect(codes(await next("none"))).toEqual(["SubscriptionNotFound"]);
		expect(codes(await next("sub", { key: ours.foreignKey }))).toEqual(["SubscriptionNotFound"]);
		expect(codes(await next("sub", { key: ours.scopedKey("CUSTOMER:READ") }))).toEqual(["AccessDeniedError"]);
	});
});

test("a task is read as by REST", async () => {
	const imported = await mutate(
		ours,
		"importSubscriptionsBulk",
		{
			subscriptions: [{ refId: "i", customerId: "acme", planId: "basic", billingPeriod: "MONTHLY" }],
		},
		{ selection: "" },
	);
	const id = imported.data.importSubscriptionsBulk;
	const query = `query ($id: String!) { task(taskId: $id) { id taskType status progress createdAt startDate endDate totalSubtasksCount
		completedSubtasksCount failedSubtasksCount importErrors { id error } } }`;
	expect((await data(ours, query, { id })).task).toEqual((await ours.call("GET", `/tasks/${id}`)).body.data);
	expect(codes(await ask(ours, query, { id: "none" }))).toEqual(["BadUserInput"]);
	expect(codes(await ask(ours, query, { id }, { key: ours.scopedKey("CATALOG:READ") }))).toEqual(["AccessDeniedError"]);
});
