import type { Demo } from "../support/demo";

type Ask = (demo: Demo, method: string, path: string, body?: unknown) => Promise<{ readonly body: unknown }>;
type Ids = Readonly<Record<string, string>>;

/** The earlier calls of the examples of dunning: a policy, and the case of an invoice. */
export function dunningExamples(
	ask: Ask,
	exampleOf: (id: string) => unknown,
): Readonly<Record<string, (demo: Demo) => Promise<Ids>>> {
	const collectionOf = (invoiceRef: string) => `/api/v1/customers/customer-acme/invoices/${invoiceRef}/collection`;

	async function aPolicy(demo: Demo): Promise<Ids> {
		const end = { action: "LEAVE_OPEN", afterDays: 42 };
		await ask(demo, "POST", "/api/v1/dunning-policies", { id: "dunning-standard", displayName: "Standard", end });
		const { body } = await ask(demo, "GET", "/api/v1/customers/customer-acme/invoices");
		const [invoice] = (body as { data: Array<{ invoiceId: string }> }).data;
		return { invoiceRef: invoice?.invoiceId ?? "" };
	}

	async function aCase(demo: Demo): Promise<Ids> {
		const { invoiceRef = "" } = await aPolicy(demo);
		await ask(demo, "POST", `${collectionOf(invoiceRef)}/start`, exampleOf("customers.startInvoiceCollection"));
		return { invoiceRef };
	}

	return {
		"dunningPolicies.retrieve": aPolicy,
		"dunningPolicies.update": aPolicy,
		"dunningPolicies.archive": aPolicy,
		"customers.updateDunning": aPolicy,
		"customers.retrieveInvoiceCollection": aPolicy,
		"customers.startInvoiceCollection": aPolicy,
		"customers.suspendInvoiceCollection": aCase,
		"customers.stopInvoiceCollection": aCase,
		"customers.resumeInvoiceCollection": async (demo) => {
			const { invoiceRef = "" } = await aCase(demo);
			await ask(demo, "POST", `${collectionOf(invoiceRef)}/suspend`, exampleOf("customers.suspendInvoiceCollection"));
			return { invoiceRef };
		},
	};
}
