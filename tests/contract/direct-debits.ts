import { chooseEnvironment } from "../../src/areas/access/operations";
import { systemActor } from "../../src/areas/access/rules.actors";
import { makeDebitFile } from "../../src/areas/bank/debits/make";
import { createFile } from "../../src/areas/bank/debits/operations.files";
import { getCustomer } from "../../src/areas/customers/operations";
import { setCreditor } from "../../src/areas/direct-debit/operations.creditors";
import { createMandate } from "../../src/areas/direct-debit/operations.mandates";
import { findOpenDebit } from "../../src/areas/direct-debit/operations.rows";
import { issueInvoice } from "../../src/areas/invoices/operations";
import { issuerOf, updateLegalEntity } from "../../src/areas/legal-entities/operations";
import { openLog } from "../../src/http/log";
import type { Actor, Transactions, Work } from "../../src/kernel/work";
import { timeSlices } from "../../src/tasks/time-slices";
import { drainTasks } from "../../src/workers/task-thread";
import { input } from "../areas/invoices/samples";
import type { Demo } from "../support/demo";

type Ids = Readonly<Record<string, string>>;

/** Lets a legal entity collect, and issues two invoices of a customer with a mandate. A file has the debit of the first one. */
export async function someDebits(
	transactions: Transactions,
	actor: Actor,
	customerRef: string,
	legalEntityId: string | null = null,
): Promise<Ids> {
	const made = transactions.write(actor, (work) => {
		const issuer = issuerOf(work, legalEntityId);
		const entityId = issuer.entity.id;
		if (!issuer.accounts.some(({ iban }) => iban !== null))
			updateLegalEntity(work, issuer, { bankAccount: { iban: "DE89370400440532013000" } });
		setCreditor(work, entityId, { creditorId: "DE98ZZZ09999999999", leadDays: 1 });
		const account = { iban: "DE02120300000000202051", signedOn: "2025-12-15", reference: "M-1" };
		const mandate = createMandate(work, { ...account, customerId: customerRef, legalEntityId: entityId });
		const invoiceId = anInvoice(work, customerRef, entityId);
		const debit = findOpenDebit(work, invoiceId);
		if (!debit) throw new Error("an invoice of a customer with a mandate has a debit");
		const file = createFile(work, { legalEntityId: entityId, collectUntil: debit.collectionOn });
		return { legalEntityId: entityId, mandateId: mandate.id, fileId: file.id, submittedId: debit.id };
	});
	const thread = { transactions, turns: timeSlices(), isStopping: () => false };
	const run = (task: Parameters<typeof makeDebitFile>[1]) => makeDebitFile(thread, task);
	await drainTasks(transactions, ["MAKE_DIRECT_DEBIT_FILE"], run, openLog("silent"));
	const plannedId = transactions.write(
		actor,
		(work) => findOpenDebit(work, anInvoice(work, customerRef, made.legalEntityId))?.id ?? "",
	);
	return { ...made, plannedId };
}

const anInvoice = (work: Work, customerRef: string, legalEntityId: string): string =>
	issueInvoice(
		work,
		input({
			...{ customerId: getCustomer(work, customerRef).id, legalEntityId, currency: "eur" },
			...{ billingReason: "MANUAL", issuedAt: work.now, dueAt: work.now },
		}),
	).id;

const made =
	(pick: (ids: Ids) => Ids) =>
	async (demo: Demo): Promise<Ids> => {
		const { transactions } = demo;
		const { id } = transactions.read(systemActor(""), (work) => chooseEnvironment(work, undefined));
		const ids = await someDebits(transactions, systemActor(id), "customer-acme");
		await transactions.committed();
		return pick(ids);
	};

const planned = made(({ plannedId = "" }) => ({ debitId: plannedId }));
const submitted = made(({ submittedId = "" }) => ({ debitId: submittedId }));
const mandate = made(({ mandateId = "" }) => ({ mandateId }));
const file = made(({ fileId = "" }) => ({ fileId }));

/** Prepares the examples of direct debits (openapi.examples.test.ts). */
export const debitExamples = {
	"directDebit.setCreditor": made(({ legalEntityId = "" }) => ({ legalEntityId })),
	"directDebit.createMandate": made(() => ({})),
	...{ "directDebit.retrieveMandate": mandate, "directDebit.revokeMandate": mandate },
	...{ "directDebit.retrieve": planned, "directDebit.cancel": planned, "directDebit.return": submitted },
	"directDebit.createFile": made(() => ({})),
	...{ "directDebit.retrieveFile": file, "directDebit.settleFile": file },
};
