import { expect } from "bun:test";
import { checkInvoices } from "../../../../src/areas/invoices/check/operations.sums";
import { flat, type Till, till, used } from "../../subscriptions/billing";

type Call = Pick<Till, "call">;

/** From now on what a billing cycle brings is a draft for so many days. */
export async function graceOf(ours: Call, days: number | null, more: object = {}): Promise<void> {
	const { body } = await ours.call("GET", "/legal-entities");
	const { status } = await ours.call("PATCH", `/legal-entities/${body.data[0].id}`, {
		body: { invoiceGracePeriodDays: days, ...more },
	});
	expect(status).toBe(200);
}

export const listOf = async ({ call }: Call, query = "", customer = "acme") =>
	(await call("GET", `/customers/${customer}/invoices?limit=100${query}`)).body.data;
export const draftsOf = (ours: Call) => listOf(ours, "&stateIn=DRAFT");
export const pathOf = ({ invoiceId }: { invoiceId: string }) => `/customers/acme/invoices/${invoiceId}`;

export async function sold() {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 30 }), used("calls", { month: 1 })]);
	await graceOf(ours, 3, { netTerms: 10 });
	return ours;
}

export const findings = (ours: Till) => ours.transactions.read(ours.actor, checkInvoices);
