import type { Entry } from "./entry";
import { normalizeText } from "./normalize";
import type { Plan } from "./plan";
import { definitionsOf, type Queries, schemaOf } from "./queries";
import { type Listed, Reader } from "./read";
import type { Server } from "./server";

export interface Read {
	readonly entries: Entry[];
	readonly names: ReadonlyMap<string, string>;
}

/** Reads everything that the interfaces of a server show. */
export async function readAll(plan: Plan, queries: Queries, server: Server): Promise<Read> {
	const names = new Map<string, string>();
	const entries = [...(await readDocument(server)), ...(await readSchema(server))];
	for (const { name } of plan.environments) {
		const reader = new Reader(server, name, names);
		const read = new EnvironmentRead(reader, queries);
		await read.catalogue();
		await read.sales();
		entries.push(...reader.entries);
	}
	return { entries, names };
}

async function readDocument(server: Server): Promise<Entry[]> {
	const { body } = await server.send(undefined, "GET", "//openapi.json");
	const { paths, components } = Object(body);
	const entries: Entry[] = [];
	for (const [path, operations] of Object.entries(Object(paths)))
		for (const [method, value] of Object.entries(Object(operations)))
			entries.push({ kind: "openapi", key: `${method.toUpperCase()} ${path}`, value });
	for (const [kind, members] of Object.entries(Object(components)))
		for (const [name, value] of Object.entries(Object(members)))
			entries.push({ kind: "openapi", key: `components ${kind} ${name}`, value });
	return entries;
}

const readSchema = async (server: Server): Promise<Entry[]> =>
	[...definitionsOf(await schemaOf(server))].map(([key, value]) => ({ kind: "graphql-schema", key, value }));

/** One in `of` of the keys, the same ones in every run. */
const isSampled = (key: string, of: number): boolean => Bun.hash.crc32(key) % of === 0;

/** Our choices: one in this many objects is read by further, slower requests. PDFs are of the sampled invoices. */
const samples = { customer: 12, subscription: 10, invoice: 12, pdf: 20, event: 40, entry: 60 };

class EnvironmentRead {
	readonly #reader: Reader;
	readonly #queries: Queries;
	/** The features that count usage. */
	readonly #numbers: string[] = [];

	constructor(reader: Reader, queries: Queries) {
		this.#reader = reader;
		this.#queries = queries;
	}

	async catalogue(): Promise<void> {
		const { list, read } = this.#bound();
		await this.#query("environment", "");
		for (const { legalEntityId, id, name } of await list("catalogue", "/legal-entities"))
			this.#name(legalEntityId ?? id, `legal entity ${name}`);
		for (const { id = "" } of await list("catalogue", "/products")) {
			await read("catalogue", `/products/${id}/portal-settings`);
			await read("catalogue", `/paywall?productId=${id}&fetchAllCountriesPrices=true`);
			await this.#query("product", id);
		}
		for (const { id = "", featureType } of await list("catalogue", "/features")) {
			if (featureType === "NUMBER") this.#numbers.push(id);
			await read("catalogue", `/features/${id}`);
			await read("catalogue", `/features/${id}/meter`);
			await this.#query("feature", id);
		}
		for (const { id = "" } of await list("catalogue", "/credits/custom-currencies?status=ACTIVE,ARCHIVED"))
			await read("catalogue", `/credits/custom-currencies/${id}/associated-entities`);
		for (const { id = "" } of await list("catalogue", "/coupons?status=ACTIVE,ARCHIVED")) {
			await read("catalogue", `/coupons/${id}`);
			await this.#query("coupon", id);
		}
		for (const kind of ["plan", "addon"] as const)
			for (const { id = "" } of await list("catalogue", `/${kind}s`)) {
				await read("catalogue", `/${kind}s/${id}`);
				for (const part of ["versions", "charges"]) await list("catalogue", `/${kind}s/${id}/${part}`);
				await read("catalogue", `/${kind}s/${id}/entitlements`);
				if (kind === "plan") await list("catalogue", `/plans/${id}/overage-charges`);
				await this.#query(kind, id);
			}
		for (const path of ["/contracts/pricing-models", "/webhooks/event-types", "/environments/current/clock"])
			await read("catalogue", path);
	}

	async sales(): Promise<void> {
		const { list, read } = this.#bound();
		// Invoices have names before they are read.
		for (const { invoiceId, invoiceNumber } of await list("invoice-list", "/invoices", { keyOf: () => undefined }))
			this.#name(invoiceId, `invoice ${invoiceNumber ?? "draft"}`);
		const customers = await list("customers", "/customers");
		await Promise.all(customers.map((customer) => this.#customer(customer)));
		const subscriptions = await list(
			"subscriptions",
			"/subscriptions?status=ACTIVE,CANCELED,EXPIRED,IN_TRIAL,NOT_STARTED,PAYMENT_PENDING",
		);
		for (const { id, customerId, planId, startDate } of subscriptions)
			this.#name(id, `subscription ${customerId} ${planId} ${startDate}`);
		await Promise.all(subscriptions.map((subscription) => this.#subscription(subscription)));
		for (const contract of await list("contracts", "/contracts")) await this.#contract(contract);
		await read("invoice-list", "/invoices/totals?interval=month");
		await read("credits", "/credits/revenue");
		await read("usage", "/events/by-day");
		await list("usage", "/usage-alerts");
		await list("usage", "/usage-alerts/reached");
		await this.#feed();
	}

	async #customer({ id = "" }: Listed): Promise<void> {
		const { list, read } = this.#bound();
		const path = `/customers/${id}`;
		await read("customers", path);
		await read("customers", `${path}/invoicing`);
		await list("customers", `${path}/resources`);
		await list("entitlements", `${path}/promotional-entitlements`);
		await read("entitlements", `${path}/entitlements`);
		await read("invoices", `${path}/balance`);
		await list("invoices", `${path}/balance/entries`);
		await read("contracts", `${path}/contracts`);
		for (const note of await list("credit-notes", `${path}/credit-notes`)) {
			const { creditNoteId, creditNoteNumber } = note;
			this.#name(creditNoteId, `credit note ${creditNoteNumber}`);
			await read("credit-notes", `${path}/credit-notes/${creditNoteId}`);
		}
		for (const invoice of await list("invoices", `${path}/invoices`)) await this.#invoice(id, invoice);
		await this.#credits(id);
		if (!isSampled(id, samples.customer)) return;
		await list("timeline", `${path}/timeline`);
		await list("usage", `/events?customerId=${id}`);
		await read("entitlements", `${path}/entitlements?explain=true`);
		await this.#usage(id);
		await this.#query("customer", id);
	}

	async #invoice(customer: string, { invoiceId = "", invoiceNumber }: Listed): Promise<void> {
		if (!isSampled(`${customer} ${invoiceNumber}`, samples.invoice)) return;
		const { list, read } = this.#bound();
		const path = `/customers/${customer}/invoices/${invoiceId}`;
		const { body } = await read("invoices", path);
		await list("invoices", `${path}/payments`);
		const lines: unknown = Object(Object(body).data).lineItems;
		for (let line = 1; line <= (Array.isArray(lines) ? lines.length : 0); line += 1)
			await read("explanations", `${path}/lines/${line}/explain`);
		if (invoiceNumber && isSampled(invoiceNumber, samples.pdf)) await this.#reader.pdf("pdfs", `${path}/pdf`);
	}

	async #credits(customerId: string): Promise<void> {
		const { list, read } = this.#bound();
		for (const { id, displayName } of await list("credits", `/credits/grants?customerId=${customerId}`))
			this.#name(id, `grant ${customerId} ${displayName}`);
		await list("credits", `/credits/ledger?customerId=${customerId}`);
		await list("credits", `/credits/balances?customerId=${customerId}`);
		await read(
			"credits",
			`/credits/usage?customerId=${customerId}&startDate=2040-01-01T00:00:00Z&endDate=2044-01-01T00:00:00Z`,
		);
	}

	async #usage(customerId: string): Promise<void> {
		const { list, read } = this.#bound();
		for (const id of this.#numbers) {
			await read(
				"usage",
				`/usage/${customerId}/history/${id}?startDate=2040-01-01T00:00:00Z&endDate=2040-12-01T00:00:00Z`,
			);
			await list("usage", `/usage/${customerId}/reports/${id}`);
			await read("entitlements", `/customers/${customerId}/entitlements/check?featureId=${id}&requestedUsage=3`);
		}
	}

	async #subscription({ id = "", customerId, planId, status, resourceId }: Listed): Promise<void> {
		const { read } = this.#bound();
		await read("subscriptions", `/subscriptions/${id}`);
		if (!isSampled(normalizeText(id, this.#reader.names), samples.subscription)) return;
		await this.#query("subscription", id);
		if (status !== "ACTIVE") return;
		for (const billingPeriod of ["MONTHLY", "ANNUALLY"]) {
			const body = { customerId, planId, billingPeriod, ...(resourceId && { resourceId }) };
			await read("previews", "/subscriptions/preview", { method: "POST", body });
		}
	}

	async #contract(contract: Listed): Promise<void> {
		const { list, read } = this.#bound();
		const id = contract.contractId ?? contract.id ?? "";
		const path = `/contracts/${id}`;
		await read("contracts", path);
		for (const part of ["items", "summary", "invoice-schedule", "next-invoice"])
			await read("contracts", `${path}/billing/${part}`);
		await list("contracts", `${path}/billing/credit-notes`);
		await this.#query("contract", id);
	}

	/** Events and entries of the audit log, by type and time: all are counted, a part is recorded. */
	async #feed(): Promise<void> {
		const reader = this.#reader;
		const sampled = (key: string, of: number) => (isSampled(key, of) ? key : undefined);
		const events = await reader.list("events", "/events-out", {
			keyOf: ({ type, timestamp }) => sampled(normalizeText(`${timestamp} ${type}`), samples.event),
		});
		const types = events.map(({ type = "" }) => type);
		reader.tally("events", "types", types);
		const entries = await reader.list("audit-log", "/audit-log?level=environment", {
			keyOf: ({ operation, at }) => sampled(normalizeText(`${at} ${operation}`), samples.entry),
			// A task writes an entry for each of its time slices, whose number depends on the machine.
			where: ({ operation = "" }) => !/^[A-Z_]+$/.test(operation),
		});
		const operations = entries.map(({ operation = "" }) => operation);
		reader.tally("audit-log", "operations", operations);
	}

	async #query(subject: keyof Queries, id: string): Promise<void> {
		for (const text of this.#queries[subject]) {
			const query = text.replaceAll("ID", JSON.stringify(id));
			await this.#reader.read("graphql", "//graphql", { method: "POST", body: { query } });
		}
	}

	#name(id: string | undefined, name: string): void {
		if (id !== undefined) this.#reader.names.set(id, name);
	}

	#bound() {
		const reader = this.#reader;
		return { list: reader.list.bind(reader), read: reader.read.bind(reader) };
	}
}
