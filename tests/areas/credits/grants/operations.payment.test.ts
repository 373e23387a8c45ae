import { describe, expect, test } from "bun:test";
import type { Instant } from "../../../../src/kernel/clock";
import { isRefusal } from "../../packages/guards";
import { bank, give, invoices, ledger, listed, path, pay, sold, take, wallet } from "./site";

describe("sold credits", () => {
	test("have an open invoice, and count once it is paid", async () => {
		const ours = await bank();
		const billingInformation = { invoiceDaysUntilDue: 14, billingAddress: { city: "Bern" } };
		const grant = await give(ours, { ...sold, billingInformation });
		expect(grant).toMatchObject({
			status: "PAYMENT_PENDING",
			paymentCollection: "PROCESSING",
			cost: { amount: 20, currency: "usd" },
			latestInvoice: {
				billingId: grant.invoiceId,
				billingReason: "MANUAL",
				status: "OPEN",
				currency: "usd",
				subTotal: 20,
				tax: 0,
				total: 20,
				dueDate: "2026-02-14T00:00:00.000Z",
				requiresAction: false,
				errorMessage: null,
				paymentUrl: null,
				pdfUrl: null,
			},
		});
		expect(await invoices(ours)).toMatchObject([
			{
				invoiceId: grant.invoiceId,
				state: "OPEN",
				total: 20,
				lineItems: [{ description: "Pack (gold)", quantity: 100, unitPrice: 0.2, amount: 20 }],
			},
		]);
		take(ours, 30);
		expect(wallet(ours)).toEqual([0, 30]);
		expect((await pay(ours, grant.invoiceId)).status).toBe(200);
		expect(await listed(ours)).toMatchObject([
			{ grantType: "OVERDRAFT", status: "VOIDED", amount: 0 },
			{
				id: grant.id,
				status: "ACTIVE",
				paymentCollection: "NOT_REQUIRED",
				consumedAmount: 30,
				latestInvoice: { status: "PAID" },
			},
		]);
		expect(ledger(ours)).toEqual([
			"CONSUMED 30",
			"GRANTED 100",
			"CONSUMPTION_TRANSFER_SOURCE 30",
			"CONSUMPTION_TRANSFER_TARGET 30",
		]);
		isRefusal(await pay(ours, grant.invoiceId), 404, "BillingInvoiceStatusError");
		expect(wallet(ours)).toEqual([100, 30]);
	});

	test("stay after a chargeback of their payment, and a second payment grants nothing again", async () => {
		const ours = await bank();
		const grant = await give(ours, sold);
		await pay(ours, grant.invoiceId);
		const [bought] = await invoices(ours);
		const ofInvoice = `/customers/${bought.customerExternalId}/invoices/${grant.invoiceId}`;
		const [{ paymentId }] = (await ours.call("GET", `${ofInvoice}/payments`)).body.data;
		const reverse = `${ofInvoice}/payments/${paymentId}/reverse`;
		const { body } = await ours.call("POST", reverse, { body: { reason: "CHARGEBACK" } });
		expect(body.data).toMatchObject({ invoiceState: "OPEN", amountDue: 20 });
		expect(wallet(ours)).toEqual([100, 0]);
		expect((await pay(ours, grant.invoiceId)).status).toBe(200);
		expect(wallet(ours)).toEqual([100, 0]);
		expect(ledger(ours)).toEqual(["GRANTED 100"]);
	});

	test.each([
		["stated as paid", { billingInformation: { isInvoicePaid: true } }, "PAID"],
		["collected by nobody", { paymentCollectionMethod: "NONE" }, null],
		[
			"collected by nobody, and paid",
			{ paymentCollectionMethod: "NONE", billingInformation: { isInvoicePaid: true } },
			null,
		],
		["for nothing", { cost: { amount: 0, currency: "usd" } }, null],
		["without a cost", { cost: undefined }, null],
	])("count at once if they are %s", async (_, how, state) => {
		const ours = await bank();
		const grant = await give(ours, { ...sold, ...how });
		expect(grant).toMatchObject({ status: "ACTIVE", paymentCollection: "NOT_REQUIRED" });
		expect(grant.latestInvoice?.status ?? null).toBe(state);
		expect((await invoices(ours)).map((invoice) => invoice.state)).toEqual(state === null ? [] : [state]);
		expect(wallet(ours)).toEqual([100, 0]);
	});

	test.each([true, false])("awaitPaymentConfirmation %s has no effect", async (awaits) => {
		const ours = await bank();
		expect(await give(ours, { ...sold, awaitPaymentConfirmation: awaits })).toMatchObject({
			status: "PAYMENT_PENDING",
		});
	});

	test("paid before their effective date, they start then; paid after their expiry, they have expired", async () => {
		const ours = await bank();
		const begins = await give(ours, { ...sold, effectiveAt: "2026-02-10T00:00:00Z" });
		const ends = await give(ours, { ...sold, expireAt: "2026-02-05T00:00:00Z" });
		await pay(ours, begins.invoiceId);
		expect((await listed(ours))[1]).toMatchObject({ id: begins.id, status: "SCHEDULED" });
		ours.clock.at = (ours.clock.at + 6 * 86_400_000) as Instant;
		expect((await listed(ours))[0]).toMatchObject({ id: ends.id, status: "PAYMENT_PENDING" });
		await pay(ours, ends.invoiceId);
		expect((await listed(ours))[0]).toMatchObject({ id: ends.id, status: "EXPIRED" });
		expect(ledger(ours)).toEqual(["GRANTED 100", "EXPIRED 100"]);
	});

	test("voiding a pending grant cancels its invoice; a paid invoice stays", async () => {
		const ours = await bank();
		const waiting = await give(ours, sold);
		const paid = await give(ours, { ...sold, billingInformation: { isInvoicePaid: true } });
		const voided = await ours.call("POST", `${path}/${waiting.id}/void`);
		expect(voided.body.data).toMatchObject({
			status: "VOIDED",
			paymentCollection: "NOT_REQUIRED",
			latestInvoice: { status: "CANCELED" },
		});
		isRefusal(await pay(ours, waiting.invoiceId), 404, "BillingInvoiceStatusError");
		const kept = await ours.call("POST", `${path}/${paid.id}/void`);
		expect(kept.body.data).toMatchObject({ status: "VOIDED", latestInvoice: { status: "PAID" } });
		expect(ledger(ours)).toEqual(["GRANTED 100", "VOIDED 100"]);
	});

	test("a full credit note for the open invoice voids the grant", async () => {
		const ours = await bank();
		const { invoiceId } = await give(ours, sold);
		const credited = await ours.call("POST", `/customers/acme/invoices/${invoiceId}/credit-note`, { body: {} });
		expect(credited.status).toBe(201);
		expect(await listed(ours)).toMatchObject([{ status: "VOIDED", latestInvoice: { status: "PAID" } }]);
		expect(wallet(ours)).toEqual([0, 0]);
	});
});
