import { describe, expect, test } from "bun:test";
import { ask, codes, data, nodes } from "../../../graphql/ask";
import { mutate } from "../../../graphql/mutate";
import { draftWorld, fee, items, year } from "../../contracts/support";
import { decimal, instant, line } from "../samples";
import { invoiceWorld } from "../support";

const customerId = "cust-1";
const bill = "id status total { amount } amountDue { amount currency } amountPaid { amount } amountCredited { amount }";
const bookKeys = "poNumber isOverdue balanceApplied { amount }";
const note = `id number status reasonCode invoiceId invoiceNumber currency total { amount } balanceAmount { amount }
	lines { description amount { amount } } customer { refId } voidedDate`;

function billedWorld() {
	const here = invoiceWorld();
	here.clock.at = instant("2026-02-20T12:00:00Z");
	const issue = (amount: number, customer = here.customer) =>
		here.issue({
			customerId: customer.id,
			lines: [line({ amount: decimal(amount) }), line({ description: "Support", amount: decimal(20) })],
			issuedAt: instant("2026-02-01T00:00:00Z"),
			dueAt: instant(`2026-02-${customer === here.customer ? "10" : "27"}T00:00:00Z`),
		});
	const rest = async (path: string) => (await here.call("GET", path)).body.data;
	return { ...here, issue, rest, invoice: issue(80) };
}

describe("payments", () => {
	const selection = `{ payment { id kind amount { amount currency } balanceAmount { amount } method reference paidDate }
		invoice { ${bill} } }`;
	const list = `query ($input: InvoicePaymentsInput!) { invoicePayments(input: $input) {
		edges { node { id kind amount { amount } method note } } pageInfo { hasNextPage endCursor } } }`;

	test("a part, the rest, and a refund, as REST then shows them", async () => {
		const here = billedWorld();
		const on = { customerId, invoiceId: here.invoice.id };
		const pay = async (input: object) =>
			(await mutate(here, "recordInvoicePayment", { ...on, ...input }, { selection })).data.recordInvoicePayment;
		const part = await pay({ amount: 30.5, method: "CARD", paidDate: "2026-02-03T00:00:00Z", reference: "r-1" });
		expect(part.payment).toMatchObject({
			kind: "PAYMENT",
			amount: { amount: 30.5, currency: "USD" },
			reference: "r-1",
		});
		expect(part.invoice).toMatchObject({ status: "OPEN", amountDue: { amount: 69.5 }, amountPaid: { amount: 30.5 } });
		expect(await pay({ amount: 30.5, reference: "r-1" })).toEqual(part);
		const full = await pay({ amount: 70 });
		expect(full).toMatchObject({ payment: { balanceAmount: { amount: 0.5 } }, invoice: { status: "PAID" } });
		await pay({ amount: 10, kind: "REFUND" });
		const rest = await here.rest(`/customers/cust-1/invoices/${here.invoice.id}/payments`);
		const { invoicePayments } = await data(here, list, { input: on });
		expect(nodes<{ id: string }>(invoicePayments).map(({ id }) => id)).toEqual(
			rest.map(({ paymentId }: { paymentId: string }) => paymentId),
		);
		const last = await data(here, list, { input: { ...on, paging: { last: 1 } } });
		expect(nodes<{ id: string }>(last.invoicePayments)[0]?.id).toBe(part.payment.id);
	});

	test("a reversal opens the invoice again, and the list shows which payment no longer counts", async () => {
		const here = billedWorld();
		const on = { customerId, invoiceId: here.invoice.id };
		const paid = (await mutate(here, "recordInvoicePayment", { ...on, amount: 100 }, { selection })).data
			.recordInvoicePayment;
		const { id: paymentId } = paid.payment;
		const input = { ...on, paymentId, reason: "RETURNED" };
		const { reverseInvoicePayment } = (await mutate(here, "reverseInvoicePayment", input, { selection })).data;
		expect(reverseInvoicePayment).toMatchObject({
			payment: { kind: "REVERSAL", amount: { amount: 100 } },
			invoice: { status: "OPEN", amountDue: { amount: 100 }, amountPaid: { amount: 0 } },
		});
		const reversals = `query ($input: InvoicePaymentsInput!) { invoicePayments(input: $input) {
			edges { node { kind reversesPaymentId reason } } } }`;
		const { invoicePayments } = await data(here, reversals, { input: on });
		expect(nodes<object>(invoicePayments)).toEqual([
			{ kind: "REVERSAL", reversesPaymentId: paymentId, reason: "RETURNED" },
			{ kind: "PAYMENT", reversesPaymentId: null, reason: null },
		]);
		const again = await mutate(here, "reverseInvoicePayment", input, { selection });
		expect(codes(again)).toEqual(["InvalidArgumentError"]);
	});

	test("are refused as by REST", async () => {
		const here = billedWorld();
		const on = { customerId, invoiceId: here.invoice.id };
		const pay = async (input: object, options = {}) =>
			codes(await mutate(here, "recordInvoicePayment", { ...on, amount: 1, ...input }, { selection, ...options }));
		expect(await pay({ customerId: "nobody" })).toEqual(["CustomerNotFound"]);
		expect(await pay({ invoiceId: "none" })).toEqual(["InvoiceNotFound"]);
		expect(await pay({ customerId: here.other.refId })).toEqual(["InvoiceNotFound"]);
		for (const input of [{ amount: 0 }, { amount: -1 }, { paidDate: "yesterday" }, { note: "x".repeat(501) }])
			expect(await pay(input)).toEqual(["BadUserInput"]);
		expect(await pay({ amount: 0.001 })).toEqual(["InvalidArgumentError"]);
		expect(await pay({ kind: "REFUND" })).toEqual(["InvalidArgumentError"]);
		expect(await pay({}, { key: here.scopedKey("INVOICE:READ") })).toEqual(["AccessDeniedError"]);
		expect(await pay({}, { key: here.foreignKey })).toEqual(["InvoiceNotFound"]);
		expect(await pay({ amount: 100 })).toEqual([]);
		expect(await pay({})).toEqual(["BillingInvoiceStatusError"]);
		expect(codes(await ask(here, list, { input: { ...on, invoiceId: "none" } }))).toEqual(["InvoiceNotFound"]);
		const key = here.scopedKey("CUSTOMER:READ");
		expect(codes(await ask(here, list, { input: on }, { key }))).toEqual(["AccessDeniedError"]);
	});
});

describe("a customer's balance", () => {
	const read = '{ customerBalance(customerId: "cust-1") { amount currency } }';
	const list = `query ($input: CustomerBalanceEntriesInput!) { customerBalanceEntries(input: $input) {
		edges { node { id kind amount { amount currency } balance { amount } reason invoiceId } } } }`;
	const adjust = { customerId, amount: 12.5, currency: "USD", reason: "goodwill" };

	test("is adjusted with a reason, read, and its entries listed as by REST", async () => {
		const here = billedWorld();
		const selection = "{ kind amount { amount currency } balance { amount } reason }";
		const { data: done } = await mutate(here, "adjustCustomerBalance", adjust, { selection });
		expect(done.adjustCustomerBalance).toEqual({
			kind: "ADJUSTED",
			amount: { amount: 12.5, currency: "USD" },
			balance: { amount: 12.5 },
			reason: "goodwill",
		});
		await mutate(here, "adjustCustomerBalance", { ...adjust, amount: 3, currency: "EUR" });
		expect((await data(here, read)).customerBalance).toEqual([
			{ amount: 3, currency: "EUR" },
			{ amount: 12.5, currency: "USD" },
		]);
		const entries = async (input: object) =>
			nodes<{ id: string }>((await data(here, list, { input: { customerId, ...input } })).customerBalanceEntries);
		const rest = await here.rest("/customers/cust-1/balance/entries");
		expect((await entries({})).map(({ id }) => id)).toEqual(rest.map(({ entryId }: { entryId: string }) => entryId));
		expect(await entries({ currency: "EUR" })).toMatchObject([{ amount: { amount: 3 } }]);
	});

	test("is refused as by REST", async () => {
		const here = billedWorld();
		const change = async (input: object, options = {}) =>
			codes(await mutate(here, "adjustCustomerBalance", { ...adjust, ...input }, options));
		expect(await change({ customerId: "nobody" })).toEqual(["CustomerNotFound"]);
		expect(await change({ amount: -13 })).toEqual(["InvalidArgumentError"]);
		expect(await change({ reason: "" })).toEqual(["BadUserInput"]);
		expect(await change({ currency: "XXY" })).toEqual(["BadUserInput"]);
		expect(await change({}, { key: here.scopedKey("CUSTOMER:WRITE") })).toEqual(["AccessDeniedError"]);
		const key = here.scopedKey("INVOICE:READ");
		expect(codes(await ask(here, read, undefined, { key }))).toEqual(["AccessDeniedError"]);
		expect(codes(await ask(here, list, { input: { customerId: "nobody" } }))).toEqual(["CustomerNotFound"]);
	});
});

describe("credit notes", () => {
	const list = `query ($input: CreditNotesInput!) { creditNotes(input: $input) { edges { node { ${note} } } } }`;
	const one = `query ($id: String!) { creditNote(customerId: "cust-1", id: $id) { ${note} } }`;

	test("by an amount, by lines, voided, and listed as by REST", async () => {
		const here = billedWorld();
		const on = { customerId, invoiceId: here.invoice.id };
		const credit = async (input: object) =>
			(await mutate(here, "creditInvoice", { ...on, ...input }, { selection: `{ ${note} }` })).data.creditInvoice;
		const byAmount = await credit({ amount: 15, reasonCode: "WAIVER" });
		expect(byAmount).toMatchObject({ status: "ISSUED", reasonCode: "WAIVER", total: { amount: 15 }, currency: "USD" });
		const byLines = await credit({ lines: [{ line: 2, amount: 5 }] });
		expect(byLines.lines).toMatchObject([{ description: expect.stringContaining("Support"), amount: { amount: 5 } }]);
		expect((await data(here, one, { id: byLines.id })).creditNote).toEqual(byLines);
		const rest = await here.rest("/customers/cust-1/credit-notes");
		const listed = nodes<{ id: string }>((await data(here, list, { input: { customerId } })).creditNotes);
		expect(listed.map(({ id }) => id)).toEqual(rest.map(({ creditNoteId }: { creditNoteId: string }) => creditNoteId));
		const read = `query ($id: String!) { invoice(customerId: "cust-1", id: $id) { ${bill} } }`;
		expect((await data(here, read, { id: here.invoice.id })).invoice).toMatchObject({
			amountCredited: { amount: 20 },
			amountDue: { amount: 80, currency: "USD" },
		});
		const taken = { customerId, creditNoteId: byAmount.id };
		const { data: done } = await mutate(here, "voidCreditNote", taken, { selection: `{ ${note} }` });
		expect(done.voidCreditNote).toMatchObject({ status: "VOIDED", voidedDate: "2026-02-20T12:00:00.000Z" });
	});

	test("are refused as by REST", async () => {
		const here = billedWorld();
		const on = { customerId, invoiceId: here.invoice.id };
		const credit = async (input: object, options = {}) =>
			codes(await mutate(here, "creditInvoice", { ...on, ...input }, options));
		expect(await credit({ customerId: "nobody" })).toEqual(["CustomerNotFound"]);
		expect(await credit({ invoiceId: "none" })).toEqual(["InvoiceNotFound"]);
		expect(await credit({ lines: [] })).toEqual(["BadUserInput"]);
		expect(await credit({ reasonCode: "BECAUSE" })).toEqual(["BadUserInput"]);
		expect((await credit({ amount: 1000 })).length).toBe(1);
		expect(await credit({}, { key: here.scopedKey("INVOICE:READ") })).toEqual(["AccessDeniedError"]);
		const unknown = { customerId, creditNoteId: "none" };
		expect(codes(await mutate(here, "voidCreditNote", unknown))).toEqual(["BadUserInput"]);
		expect(codes(await mutate(here, "voidCreditNote", unknown, { key: here.scopedKey("INVOICE:READ") }))).toEqual([
			"AccessDeniedError",
		]);
		expect(codes(await ask(here, one, { id: "none" }))).toEqual(["BadUserInput"]);
		expect(await here.rest("/customers/cust-1/credit-notes")).toEqual([]);
	});

	test("for a contract", async () => {
		const here = await draftWorld(year);
		await here.call("POST", items, { body: { items: [fee], ...year } });
		await mutate(here, "publishContract", { contractId: "C-1" });
		const [{ invoiceId }] = (await here.call("GET", "/customers/acme/invoices")).body.data;
		await mutate(here, "creditInvoice", { customerId: "acme", invoiceId, amount: 5 });
		const query =
			"query ($refId: String!) { contractCreditNotes(refId: $refId) { edges { node { number total { amount } } } } }";
		const { body } = await here.call("GET", "/contracts/C-1/billing/credit-notes");
		expect(nodes<object>((await data(here, query, { refId: "C-1" })).contractCreditNotes)).toEqual([
			{ number: body.data[0].creditNoteNumber, total: { amount: 5 } },
		]);
		expect(codes(await ask(here, query, { refId: "nothing" }))).toEqual(["ContractNotFound"]);
	});
});

describe("the invoices of all customers", () => {
	const list = `query ($input: InvoicesInput!) { invoices(input: $input) {
		edges { node { ${bill} ${bookKeys} } } pageInfo { hasNextPage endCursor } } }`;

	test("filtered and paged as by REST", async () => {
		const here = billedWorld();
		for (const amount of [1, 2, 3]) here.issue(amount, here.other);
		here.issueForeign();
		const ids = async (input: object) =>
			nodes<{ id: string }>((await data(here, list, { input })).invoices).map(({ id }) => id);
		const byRest = async (query: string) =>
			(await here.rest(`/invoices?${query}`)).map(({ invoiceId }: { invoiceId: string }) => invoiceId);
		const all = await ids({});
		expect(all).toHaveLength(4);
		for (const [input, query] of [
			[{}, ""],
			[{ orderDirection: "DESC" }, "orderDir=DESC"],
			[{ isOverdue: true }, "overdue=true"],
			[{ isOverdue: false }, "overdue=false"],
			[{ dueBefore: "2026-02-20T00:00:00Z" }, "dueBefore=2026-02-20T00:00:00Z"],
			[{ number: here.invoice.number }, `number=${here.invoice.number}`],
			[{ statusIn: ["PAID"] }, "stateIn=PAID"],
			[{ customerId: "cust-2" }, "customerId=cust-2"],
		] as const)
			expect([query, await ids(input)]).toEqual([query, await byRest(query)]);
		expect(await ids({ isOverdue: true })).toEqual([here.invoice.id]);
		const first = (await data(here, list, { input: { paging: { first: 3 } } })).invoices;
		expect(first.pageInfo.hasNextPage).toBe(true);
		expect(await ids({ paging: { first: 3, after: first.pageInfo.endCursor } })).toEqual(all.slice(3));
		expect(await ids({ paging: { last: 1 } })).toEqual(all.slice(3));
		const [shown] = await here.rest("/invoices?overdue=true");
		const [node] = nodes<object>((await data(here, list, { input: { isOverdue: true } })).invoices);
		expect(node).toMatchObject({
			isOverdue: shown.isOverdue,
			poNumber: shown.poNumber,
			amountDue: { amount: shown.amountDue },
			amountPaid: { amount: shown.amountPaid },
			amountCredited: { amount: shown.amountCredited },
			balanceApplied: { amount: shown.balanceApplied },
		});
	});

	test("refused: an order over all that would sort them all, an unknown cursor, no scope", async () => {
		const here = billedWorld();
		expect(codes(await ask(here, list, { input: { orderBy: "total" } }))).toEqual(["BadUserInput"]);
		expect(codes(await ask(here, list, { input: { paging: { after: "none" } } }))).toEqual(["InvoiceNotFound"]);
		const key = here.scopedKey("CUSTOMER:READ");
		expect(codes(await ask(here, list, { input: {} }, { key }))).toEqual(["AccessDeniedError"]);
	});
});

describe("the explanation of a line", () => {
	const query = `query ($invoiceId: String!, $line: Int!) { invoiceLineExplanation(customerId: "cust-1", invoiceId: $invoiceId, line: $line) {
		invoiceId number line description currency periodStart periodEnd discountLabel taxPercentage amount discount tax total
		price { packageId version billingModel isOverage price blockSize tiersMode tiers { upTo unitPrice flatPrice } }
		contractItem { itemId pricingModel isPayAsYouGo rows { quantity price from to packageSize } }
		usage { featureId used billedBefore included unitTransformation { divide round } }
		proration { from to partMs wholeMs fraction } steps { of text arithmetic value } } }`;

	test("is REST's; what is not there is refused", async () => {
		const here = billedWorld();
		const invoiceId = here.invoice.id;
		const rest = await here.rest(`/customers/cust-1/invoices/${invoiceId}/lines/2/explain`);
		const { invoiceNumber, ...same } = rest;
		const { invoiceLineExplanation: explanation } = await data(here, query, { invoiceId, line: 2 });
		expect(explanation).toEqual({ ...same, number: invoiceNumber, currency: "USD" });
		for (const line of [0, -1, 3]) expect(codes(await ask(here, query, { invoiceId, line }))).toEqual(["BadUserInput"]);
		expect(codes(await ask(here, query, { invoiceId: "none", line: 1 }))).toEqual(["InvoiceNotFound"]);
		const key = here.scopedKey("CUSTOMER:READ");
		expect(codes(await ask(here, query, { invoiceId, line: 1 }, { key }))).toEqual(["AccessDeniedError"]);
	});
});
