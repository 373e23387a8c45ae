import { findAgreement } from "../../../src/areas/contracts/order-form/operations";
import { provisionCustomer } from "../../../src/areas/customers/operations";
import type { CustomerRow } from "../../../src/areas/customers/table";
import type { NewInvoice } from "../../../src/areas/invoices/new-documents";
import { issueInvoice } from "../../../src/areas/invoices/operations";
import { type RenderContext, renderInvoice } from "../../../src/areas/invoices/render";
import type { InvoiceIssuer } from "../../../src/areas/invoices/schema.party";
import type { InvoiceRow } from "../../../src/areas/invoices/table";
import {
	createLegalEntity,
	ensureDefaultLegalEntity,
	updateLegalEntity,
} from "../../../src/areas/legal-entities/operations";
import { openLog } from "../../../src/http/log";
import { newUuidV7 } from "../../../src/kernel/ids";
import { openFile } from "../../../src/kernel/storage/db";
import { openTransactions } from "../../../src/kernel/storage/transactions";
import { writesBy } from "../../../src/server/writer-calls";
import { drainTasks, type Job } from "../../../src/workers/task-thread";
import { type World, world } from "../../support/world";
import { acme, input } from "./samples";

export const dayMs = 24 * 60 * 60 * 1000;

const roomy = { keptMs: dayMs, bytesMax: 1_000_000 };

/** The renderer's job on a world's folder, run by hand. */
export function rendererOf(
	{ folder, clock, transactions }: Pick<World, "folder" | "clock" | "transactions">,
	limits = roomy,
) {
	const db = openFile(folder, "renders");
	const renders = openTransactions({ db, clock, newId: newUuidV7, wake: () => {} });
	const context: RenderContext = {
		transactions,
		renders,
		limits,
		write: writesBy(transactions),
		agreementOf: findAgreement,
	};
	const job: Job = (task) => renderInvoice(context, task);
	return {
		renders,
		context,
		/** The work of the renderer thread when it is woken. */
		runRenderer: (run: Job = job) => drainTasks(transactions, ["RENDER_INVOICE"], run, openLog("silent")),
	};
}

/** Issues documents under numbers of its own. */
export const anotherIssuer = ({ transactions, actor }: Pick<World, "transactions" | "actor">, prefix = "FR-"): string =>
	transactions.write(actor, (work) => {
		const numberFormat = { invoicePrefix: prefix, creditNotePrefix: `${prefix}CN-` };
		return createLegalEntity(work, { name: "Acme France", numberFormat }).entity.id;
	});

/** A world with an issuer and two customers here, and one in the foreign environment, and the renderer's job run by hand. */
export function invoiceWorld(limits = roomy, issuer: InvoiceIssuer = acme) {
	const base = world();
	base.transactions.write(base.actor, (work) => {
		const { logoId: _, taxExemption: __, taxIds, ...profile } = issuer;
		updateLegalEntity(work, ensureDefaultLegalEntity(work), { ...profile, taxIds: [...taxIds] });
	});
	const provision = (actor: typeof base.actor, id: string): CustomerRow =>
		base.transactions.write(actor, (work) => provisionCustomer(work, { id, name: `${id} Ltd`, email: null }));
	const customer = provision(base.actor, "cust-1");
	const other = provision(base.actor, "cust-2");
	const foreign = provision(base.foreignActor, "cust-1");

	return {
		...base,
		...rendererOf(base, limits),
		customer,
		other,
		foreign,
		issue: (changes: Partial<NewInvoice> = {}): InvoiceRow =>
			base.transactions.write(base.actor, (work) => issueInvoice(work, input({ customerId: customer.id, ...changes }))),
		issueForeign: (changes: Partial<NewInvoice> = {}): InvoiceRow =>
			base.transactions.write(base.foreignActor, (work) =>
				issueInvoice(work, input({ customerId: foreign.id, ...changes })),
			),
		status: (invoice: InvoiceRow, ref = customer.refId) =>
			base.call("GET", `/customers/${ref}/invoices/${invoice.id}/pdf/status`),
		generate: (invoice: InvoiceRow, ref = customer.refId) =>
			base.call("POST", `/customers/${ref}/invoices/${invoice.id}/pdf/generate`),
	};
}
