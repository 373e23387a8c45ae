import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { flat, type Till, till } from "../billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

const address = { city: "Bern", country: "CH", line1: "Hauptgasse 1", postalCode: "3000" };
const agreed = {
	appliedCoupon: { couponId: "TEN" },
	billingCountryCode: "CH",
	billingInformation: {
		billingAddress: address,
		invoiceDaysUntilDue: 30,
		isBackdated: true,
		taxIds: [{ type: "ch_vat", value: "CHE-1" }],
		taxPercentage: 20,
	},
	budget: { limit: 100, hasSoftLimit: false },
	metadata: { costCentre: "7" },
	payingCustomerId: "payer",
	paymentCollectionMethod: "INVOICE",
	salesforceId: "sf-1",
};

/** `small`, 10 a month, is provisioned on the 1st of April on the customer's own terms; `large` costs 20. */
async function sold(more: object = {}): Promise<Till & { id: string }> {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("small", [flat({ month: 10 })]);
	await ours.plan("large", [flat({ month: 20 })]);
	await ours.plan("free", []);
	await ours.coupon("TEN", { percent: 10, months: 3 });
	await ours.coupon("HALF", { percent: 50 });
	await ours.customer("payer");
	const id = await ours.buy("small", { ...agreed, ...more });
	return { ...ours, id };
}

/** The columns and coupons of a subscription that are agreed with the customer. */
function termsOf(ours: Till, id: string) {
	const { billing_details: details, ...row } =
		ours.db.$client
			.query<Record<string, unknown> & { billing_details: string }, [string]>(
				`SELECT s.billing_country_code, s.payment_collection_method, s.tax_percentage, s.invoice_days_until_due,
				s.billing_details, s.budget, s.metadata, s.salesforce_id, p.ref_id AS payer,
				(SELECT group_concat(c.ref_id || ' to ' || a.end_at) FROM subscription_coupons a JOIN coupons c ON c.id = a.coupon_id
				WHERE a.subscription_id = s.id AND a.status = 'ACTIVE') AS coupons
				FROM subscriptions s LEFT JOIN customers p ON p.id = s.paying_customer_id WHERE s.ref_id = ?`,
			)
			.get(id) ?? {};
	const { isBackdated: _, ...kept } = JSON.parse(details ?? "{}");
	return { ...row, details: kept };
}

const april16 = "2026-04-16T00:00:00Z";

describe("a change of plan", () => {
	test("keeps the terms agreed with the customer, and bills by them", async () => {
		const ours = await sold();
		await ours.advance(april16);
		const large = await ours.buy("large");
		expect(termsOf(ours, large)).toEqual(termsOf(ours, ours.id));
		await ours.advance("2026-07-02T00:00:00Z");
		// Ten percent off for three months from April on, 20 % tax, and half a month each in April.
		expect(await ours.books("payer")).toEqual([
			"2026-04-01: 10.8 less 1 tax 1.8 = small 10",
			"2026-04-16: 5.4 less 0.5 tax 0.9 = Unused time: small -5 + large 10",
			"2026-05-01: 21.6 less 2 tax 3.6 = large 20",
			"2026-06-01: 21.6 less 2 tax 3.6 = large 20",
			"2026-07-01: 24 tax 4 = large 20",
		]);
		const [, second] = await ours.insist("GET", "/customers/payer/invoices");
		expect(second.dueDate).toBe("2026-05-16T00:00:00.000Z");
	});

	test("changes the terms that the call names", async () => {
		const ours = await sold();
		await ours.advance(april16);
		const large = await ours.buy("large", {
			appliedCoupon: { couponId: "HALF" },
			billingInformation: { taxPercentage: 0 },
			budget: null,
			metadata: {},
			payingCustomerId: null,
			salesforceId: null,
		});
		expect(termsOf(ours, large)).toMatchObject({
			billing_country_code: "CH",
			payment_collection_method: "INVOICE",
			tax_percentage: "0",
			invoice_days_until_due: 30,
			details: { billingAddress: address },
			budget: null,
			metadata: "{}",
			salesforce_id: null,
			payer: null,
			coupons: null,
		});
		expect((await ours.call("GET", `/subscriptions/${large}`)).body.data.coupons).toMatchObject([{ id: "HALF" }]);
	});

	test("is previewed with the same terms", async () => {
		const ours = await sold();
		await ours.advance(april16);
		const preview = await ours.insist("POST", "/subscriptions/preview", { customerId: "acme", planId: "large" });
		expect(preview).toMatchObject({
			immediateInvoice: { subTotal: 5, discount: 0.5, tax: 0.9, total: 5.4 },
			recurringInvoice: { subTotal: 20, discount: 2, tax: 3.6, total: 21.6 },
		});
		await ours.buy("large");
		const [, invoice] = await ours.insist("GET", "/customers/payer/invoices");
		expect(invoice.total).toBe(preview.immediateInvoice.total);
	});

	test("out of a trial keeps the terms too, and so does the free plan after an end", async () => {
		const ours = await sold({
			trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-05-01T00:00:00Z" },
			billingInformation: { ...agreed.billingInformation, isBackdated: false },
		});
		const large = await ours.buy("large", { trialOverrideConfiguration: { isTrial: false } });
		expect(termsOf(ours, large)).toEqual(termsOf(ours, ours.id));
		await ours.insist("PATCH", "/products/app", {
			productSettings: {
				subscriptionStartSetup: "PLAN_SELECTION",
				subscriptionEndSetup: "DOWNGRADE_TO_FREE",
				downgradePlanId: "free",
				subscriptionCancellationTime: "IMMEDIATE",
			},
		});
		await ours.cancel(large);
		const [free] = (await ours.insist("GET", "/subscriptions?status=ACTIVE")) as Array<{ id: string }>;
		expect(termsOf(ours, free?.id ?? "")).toEqual(termsOf(ours, ours.id));
	});
});

describe("a plan scheduled for the end of the period", () => {
	const waiting = async (more: object = {}) => {
		const ours = await sold();
		await ours.advance(april16);
		const next = await ours.buy("large", { scheduleStrategy: "END_OF_BILLING_PERIOD", ...more });
		return { ...ours, next };
	};

	test("starts on the terms of then", async () => {
		const ours = await waiting();
		expect(termsOf(ours, ours.next)).toEqual(termsOf(ours, ours.id));
		await ours.change(ours.id, {
			appliedCoupon: { couponId: "HALF" },
			billingInformation: { taxPercentage: 10, billingAddress: { ...address, city: "Thun" } },
			metadata: { costCentre: "8" },
		});
		await ours.insist("POST", `/subscriptions/${ours.id}/delegate`, { targetCustomerId: "acme" });
		expect(termsOf(ours, ours.next)).toEqual(termsOf(ours, ours.id));
		await ours.advance("2026-05-02T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-05-01: 11 less 10 tax 1 = large 20");
	});

	test("keeps the terms that it was sold with by name", async () => {
		const ours = await waiting({
			appliedCoupon: { couponId: "HALF" },
			billingInformation: { taxPercentage: 5 },
			metadata: { of: "large" },
		});
		await ours.change(ours.id, {
			appliedCoupon: { couponId: "HALF" },
			billingInformation: { taxPercentage: 10, invoiceDaysUntilDue: 14 },
			metadata: { of: "small" },
		});
		expect(termsOf(ours, ours.next)).toMatchObject({
			tax_percentage: "5",
			invoice_days_until_due: 14,
			metadata: '{"of":"large"}',
		});
	});
});
