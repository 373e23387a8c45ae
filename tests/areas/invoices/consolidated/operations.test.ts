import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { checkDocuments } from "../../../../src/areas/invoices/check/operations.check";
import { checkRates } from "../../../../src/areas/invoices/check/operations.rates";
import { checkInvoices } from "../../../../src/areas/invoices/check/operations.sums";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { flat, type Till, till, used } from "../../subscriptions/billing";

setDefaultTimeout(60_000);

const drift = ({ transactions, actor }: Till): string[] =>
	transactions.read(actor, (work) => [
		...checkInvoices(work),
		...checkDocuments(work),
		...checkRates(work),
		...checkSubscriptionBills(work),
	]);

const may = "2026-05-01T00:00:00Z";

/** A payer and three subsidiaries, which buy for 20.00, for 30.00 less 10 %, and by usage. */
async function group(payer: object = { invoiceGrouping: "CONSOLIDATED" }) {
	const ours = await till("2026-03-01T00:00:00Z");
	await ours.customer("group", payer);
	for (const id of ["north", "south", "east"])
		await ours.customer(id, { parentCustomerId: "group", billsTo: "PARENT" });
	await ours.plan("small", [flat({ month: 20 })]);
	await ours.plan("large", [flat({ month: 30 })]);
	await ours.plan("metered", [used("calls", { month: 0.01 })]);
	await ours.coupon("TEN", { percent: 10 });
	const bought = {
		north: await ours.buy("small", { customerId: "north" }),
		south: await ours.buy("large", { customerId: "south", appliedCoupon: { couponId: "TEN" } }),
		east: await ours.buy("metered", { customerId: "east" }),
	};
	return { ...ours, bought };
}

const invoicesOf = ({ insist }: Till, customer = "group", query = "") =>
	insist("GET", `/customers/${customer}/invoices?limit=100${query}`);

const totalsOf = async (ours: Till, customer = "group"): Promise<number[]> =>
	(await invoicesOf(ours, customer)).map(({ total }: { total: number }) => total);

describe("2.23: one invoice for several subscriptions", () => {
	test("20.00, 30.00 less 10 % and usage of 12.34 make 59.34; each line names its subscription", async () => {
		const ours = await group();
		const { north, south, east } = ours.bought;
		await ours.use("calls", 1234, undefined, "east");
		await ours.advance("2026-04-01T00:00:00Z");
		const invoice = (await invoicesOf(ours)).at(-1);
		expect(invoice).toMatchObject({ subtotal: 62.34, discount: 3, total: 59.34, state: "OPEN" });
		expect(invoice.issueDate).toBe("2026-04-01T00:00:00.000Z");
		const lines = invoice.lineItems.map((line: Record<string, unknown>) => [
			...[line.subscriptionId, line.customerId, line.amount],
		]);
		expect(lines.toSorted()).toEqual(
			[
				[north, "north", 20],
				[south, "south", 30],
				[east, "east", 12.34],
			].toSorted(),
		);
		expect(await totalsOf(ours)).toEqual([20, 27, 0, 59.34].slice(0, (await totalsOf(ours)).length - 1).concat(59.34));
		for (const id of Object.values(ours.bought)) {
			const { latestInvoice } = await ours.insist("GET", `/subscriptions/${id}`);
			expect(JSON.stringify(latestInvoice)).toContain(invoice.invoiceId);
		}
		expect(drift(ours)).toEqual([]);
	});

	test("SEPARATE, the default, issues an invoice for each subscription", async () => {
		const ours = await group({});
		await ours.use("calls", 1234, undefined, "east");
		await ours.advance("2026-04-01T00:00:00Z");
		expect((await totalsOf(ours)).slice(-3).toSorted()).toEqual([12.34, 20, 27]);
		await ours.insist("PATCH", "/customers/group", { invoiceGrouping: "CONSOLIDATED" });
		await ours.advance(may);
		expect((await totalsOf(ours)).at(-1)).toBe(47);
		await ours.insist("PATCH", "/customers/group", { invoiceGrouping: "SEPARATE" });
		await ours.advance("2026-06-01T00:00:00Z");
		expect((await totalsOf(ours)).slice(-3).toSorted()).toEqual([20, 27, 47]);
		expect(drift(ours)).toEqual([]);
	});

	test("currency, net terms, collection method, issuer and billing details have invoices of their own", async () => {
		const ours = await group();
		const issuer = await ours.insist("POST", "/legal-entities", {
			name: "Second",
			numberFormat: { invoicePrefix: "S-", creditNotePrefix: "SC-" },
		});
		await ours.plan("euro", [flat({ month: [7, "eur"] })]);
		await ours.plan("second", [flat({ month: 11 })], {});
		await ours.insist("PATCH", "/plans/second/invoicing", { legalEntityId: issuer.id });
		const child = async (id: string, planId: string, more: object = {}) => {
			await ours.customer(id, { parentCustomerId: "group", billsTo: "PARENT" });
			await ours.buy(planId, { customerId: id, ...more });
		};
		const billingAddress = { country: "DE", city: "Ulm" };
		await child("currency", "euro");
		await child("issuer", "second");
		await child("method", "small", { paymentCollectionMethod: "INVOICE" });
		await child("terms", "small", { billingInformation: { invoiceDaysUntilDue: 30 } });
		await child("details", "small", { billingInformation: { billingAddress } });
		await child("alike", "small", { billingInformation: { invoiceDaysUntilDue: 0 } });
		const before = (await totalsOf(ours)).length;
		await ours.advance("2026-04-01T00:00:00Z");
		const issued = (await invoicesOf(ours)).slice(before);
		expect(issued.map((one: Record<string, unknown>) => `${one.total} ${one.currency}`).toSorted()).toEqual([
			...["11 usd", "20 usd", "20 usd", "20 usd", "67 usd", "7 eur"],
		]);
		expect(drift(ours)).toEqual([]);
	});

	test("a canceled subscription is credited on the consolidated invoice, up to its own lines", async () => {
		const ours = await group();
		await ours.advance("2026-04-01T00:00:00Z");
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.cancel(ours.bought.south, { cancellationTime: "IMMEDIATE", prorate: true });
		const [note] = await ours.insist("GET", "/customers/group/credit-notes");
		const invoice = (await invoicesOf(ours)).at(-1);
		expect(note).toMatchObject({ invoiceId: invoice.invoiceId, total: 13.5 });
		for (const line of note.lineItems)
			expect(line).toMatchObject({ subscriptionId: ours.bought.south, customerId: "south" });
		expect(drift(ours)).toEqual([]);
		await ours.advance(may);
		expect((await totalsOf(ours)).at(-1)).toBe(20);
		expect(drift(ours)).toEqual([]);
	});

	test("a manual credit of the whole invoice credits each subscription's charges, which no end credits again", async () => {
		const ours = await group();
		await ours.advance("2026-04-01T00:00:00Z");
		const { invoiceId } = (await invoicesOf(ours)).at(-1);
		const note = await ours.insist("POST", `/customers/group/invoices/${invoiceId}/credit-note`, {});
		expect(note.total).toBe(47);
		expect(drift(ours)).toEqual([]);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.cancel(ours.bought.north, { cancellationTime: "IMMEDIATE", prorate: true });
		expect(await ours.insist("GET", "/customers/group/credit-notes")).toHaveLength(1);
		expect(drift(ours)).toEqual([]);
	});

	test("a manual credit of one line is of its subscription alone, and can be voided", async () => {
		const ours = await group();
		await ours.advance("2026-04-01T00:00:00Z");
		const { invoiceId, lineItems } = (await invoicesOf(ours)).at(-1);
		const line = lineItems.findIndex((one: Record<string, unknown>) => one.customerId === "north") + 1;
		const credit = () =>
			ours.insist("POST", `/customers/group/invoices/${invoiceId}/credit-note`, { lines: [{ line }] });
		const note = await credit();
		expect(note.total).toBe(20);
		await ours.insist("POST", `/customers/group/credit-notes/${note.creditNoteId}/void`);
		await credit();
		await ours.advance("2026-04-16T00:00:00Z");
		for (const id of [ours.bought.north, ours.bought.south])
			await ours.cancel(id, { cancellationTime: "IMMEDIATE", prorate: true });
		const notes = await ours.insist("GET", "/customers/group/credit-notes");
		expect(notes.map(({ total, state }: { total: number; state: string }) => `${state} ${total}`)).toEqual([
			...["ISSUED 13.5", "ISSUED 20", "VOIDED 20"],
		]);
		expect(drift(ours)).toEqual([]);
	});

	test("a change between periods has an invoice of its own; CREATE_PRORATIONS puts it onto the next consolidated one", async () => {
		const ours = await group();
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.buy("large", { customerId: "north" });
		const separate = (await invoicesOf(ours)).at(-1);
		expect(separate.total).toBe(5);
		await ours.buy("small", {
			...{ customerId: "south" },
			billingInformation: { prorationBehavior: "CREATE_PRORATIONS" },
		});
		const count = (await totalsOf(ours)).length;
		await ours.advance(may);
		const all = await invoicesOf(ours);
		expect(all).toHaveLength(count + 1);
		// 30.00 of north; of south, less 10 %: 20.00, and the half of 20.00 in place of the half of 30.00.
		expect(all.at(-1).total).toBe(30 + 18 + 9 - 13.5);
		expect(drift(ours)).toEqual([]);
	});

	test("a payment pays the invoice as a whole", async () => {
		const ours = await group();
		await ours.advance("2026-04-01T00:00:00Z");
		const { invoiceId } = (await invoicesOf(ours)).at(-1);
		await ours.insist("POST", `/customers/group/invoices/${invoiceId}/paid`, {});
		expect((await invoicesOf(ours)).at(-1).state).toBe("PAID");
		for (const id of Object.values(ours.bought))
			expect((await ours.insist("GET", `/subscriptions/${id}`)).status).toBe("ACTIVE");
		expect(drift(ours)).toEqual([]);
	});

	test("scheduled starts and ends of trials that fall due then are on it too; a call has an invoice of its own", async () => {
		const ours = await group();
		await ours.customer("west", { parentCustomerId: "group", billsTo: "PARENT" });
		await ours.buy("small", { customerId: "west", startDate: "2026-04-01T00:00:00Z" });
		await ours.customer("trial", { parentCustomerId: "group", billsTo: "PARENT" });
		await ours.buy("small", {
			customerId: "trial",
			trialOverrideConfiguration: {
				isTrial: true,
				trialEndBehavior: "CONVERT_TO_PAID",
				trialEndDate: "2026-04-01T00:00:00Z",
			},
		});
		await ours.advance("2026-04-01T00:00:00Z");
		expect((await totalsOf(ours)).at(-1)).toBe(87);
		await ours.buy("large", { customerId: "group" });
		expect((await totalsOf(ours)).at(-1)).toBe(30);
		expect(drift(ours)).toEqual([]);
	});

	test("the preview of a subscription's next invoice has its own lines, and changes nothing", async () => {
		const ours = await group();
		const next = await ours.call("POST", `/subscriptions/${ours.bought.north}/next-invoice`).catch(() => undefined);
		const { body } = next ?? { body: {} };
		expect(JSON.stringify(body)).not.toContain(ours.bought.south);
		await ours.advance("2026-04-01T00:00:00Z");
		expect((await totalsOf(ours)).at(-1)).toBe(47);
	});
});

describe("with a grace period", () => {
	test("the draft collects all of them, takes late usage and manual lines, and is issued once", async () => {
		const ours = await group();
		const [{ id }] = await ours.insist("GET", "/legal-entities");
		await ours.insist("PATCH", `/legal-entities/${id}`, { invoiceGracePeriodDays: 3 });
		await ours.use("calls", 1000, undefined, "east");
		await ours.advance("2026-04-01T00:00:00Z");
		const [draft] = await invoicesOf(ours, "group", "&stateIn=DRAFT");
		expect(draft.total).toBe(57);
		expect(drift(ours)).toEqual([]);
		await ours.insist("POST", `/customers/group/invoices/${draft.invoiceId}/lines`, {
			description: "Help",
			unitPrice: 5,
		});
		await ours.use("calls", 234, "2026-03-31T12:00:00Z", "east");
		await ours.cancel(ours.bought.north, { cancellationTime: "IMMEDIATE", prorate: true });
		await ours.advance("2026-04-05T00:00:00Z");
		const invoice = (await invoicesOf(ours)).at(-1);
		expect(invoice.invoiceId).toBe(draft.invoiceId);
		expect(invoice.issueDate).toBe("2026-04-04T00:00:00.000Z");
		expect(invoice.total).toBe(57 + 5 + 2.34 - 20);
		expect(drift(ours)).toEqual([]);
	});
});
