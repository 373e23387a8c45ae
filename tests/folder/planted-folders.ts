import { settleDebits } from "../../src/areas/bank/debits/settle";
import { runBankImport } from "../../src/areas/bank/imports/import";
import { openLog } from "../../src/http/log";
import { drainTasks } from "../../src/workers/task-thread";
import { fee, items, publishPlan } from "../areas/contracts/support";
import { flat, perUnit, type Till, till, units, used } from "../areas/subscriptions/billing";
import { someDebits } from "../contract/direct-debits";
import { dutchMt940 } from "../support/bank/text-dialects";

/** The folders in which errors are planted, by name: each is sound, and its server is stopped. */
export const folders = { subscriptions, contracts, drafts, bank, debits } as const;
export type FolderName = keyof typeof folders;

async function stopped(ours: Till): Promise<string> {
	ours.db.$client.close();
	return ours.folder;
}

/**
 * Two customers by the middle of July: `acme` pays one invoice, owes the others, has a balance, a credited line, and a change to
 * come; `beta` has ended and was credited its unused time.
 */
async function subscriptions(): Promise<string> {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("team", [flat({ month: 5 }), perUnit("seats", { month: 10 }), used("calls", { month: 2 })]);
	await ours.plan("calls", [used("calls", { month: 1 })]);
	for (const id of ["beta", "gamma"]) await ours.customer(id);
	const billingInformation = { taxPercentage: 19, invoiceDaysUntilDue: 14 };
	const id = await ours.buy("team", { id: "acme-team", ...units("seats", 3), billingInformation });
	const beta = await ours.buy("team", {
		id: "beta-team",
		customerId: "beta",
		...units("seats", 2),
		billingInformation,
	});
	await ours.buy("calls", { id: "gamma-calls", customerId: "gamma" });
	const invoices = () => ours.insist("GET", "/customers/acme/invoices?limit=100");
	const first = (await invoices())[0];
	const pathOf = ({ invoiceId }: { invoiceId: string }) => `/customers/acme/invoices/${invoiceId}`;
	await ours.insist("POST", `${pathOf(first)}/payments`, { amount: first.total + 1 });
	await ours.use("calls", 7);
	await ours.use("calls", 3, "2026-04-02T00:00:00Z", "gamma");
	await ours.advance("2026-05-16T00:00:00Z");
	await ours.change(id, units("seats", 5));
	await ours.cancel(beta, { cancellationTime: "IMMEDIATE", prorate: true });
	await ours.advance("2026-07-16T00:00:00Z");
	const last = (await invoices()).at(-1);
	await ours.insist("POST", `${pathOf(last)}/credit-note`, { lines: [{ line: 1, amount: 5 }] });
	await ours.insist("POST", `${pathOf(last)}/payments`, { amount: 2 });
	await ours.change(id, { ...units("seats", 1), scheduleStrategy: "END_OF_BILLING_PERIOD" });
	return stopped(ours);
}

/**
 * A contract with a monthly fee and usage, invoiced to the middle of April; a second one, whose current invoice an
 * amendment replaced in March.
 */
async function contracts(): Promise<string> {
	const ours = await till("2026-01-01T00:00:00Z");
	await publishPlan(ours, "platform", "CUSTOM");
	const window = { activationStartDate: "2026-02-01T00:00:00Z", activationEndDate: "2027-02-01T00:00:00Z" };
	const usage = { name: "Calls", externalId: "calls", itemName: "calls", pricingModelId: "usage-tiered" };
	const newSubscription = { customerId: "acme", planId: "platform" };
	await ours.insist("POST", "/contracts", {
		...{ customerId: "acme", contractId: "C-1", subscriptions: [{ newSubscription }] },
	});
	const calls = { ...usage, rows: [{ to: 5, price: 0.1 }, { price: 0.05 }], netTerms: 10 };
	await ours.insist("POST", items, { items: [{ ...fee, tax: 20 }, calls], ...window });
	// An item that has ended: usage that is reported late is looked for each month.
	const ended = { ...calls, name: "Trial calls", externalId: "trial-calls", itemName: "tokens" };
	await ours.insist("POST", items, { items: [ended], ...window, activationEndDate: "2026-03-01T00:00:00Z" });
	await ours.customer("beta");
	const subscriptions = [{ newSubscription: { customerId: "beta", planId: "platform" } }];
	await ours.insist("POST", "/contracts", { customerId: "beta", contractId: "C-2", subscriptions });
	const support = { ...fee, name: "Support", externalId: "support" };
	await ours.insist("POST", "/contracts/C-2/billing/items", { items: [support], ...window });
	await ours.advance("2026-01-15T00:00:00Z");
	for (const id of ["C-1", "C-2"]) await ours.insist("POST", `/contracts/${id}/billing/publish`);
	await ours.advance("2026-02-10T00:00:00Z");
	await ours.use("calls", 7);
	await ours.advance("2026-03-10T00:00:00Z");
	await ours.insist("POST", "/contracts/C-2/billing/edit-active", { includeCurrentInvoice: true });
	await ours.insist("PATCH", "/contracts/C-2/billing/items/support", { rows: [{ price: 60 }] });
	await ours.insist("POST", "/contracts/C-2/billing/publish");
	await ours.advance("2026-04-15T00:00:00Z");
	return stopped(ours);
}

/** A renewal that waits as a draft for its grace period to end. */
async function drafts(): Promise<string> {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("team", [flat({ month: 5 })]);
	await ours.buy("team", { id: "acme-team" });
	const [entity] = await ours.insist("GET", "/legal-entities");
	await ours.insist("PATCH", `/legal-entities/${entity.id}`, { invoiceGracePeriodDays: 3 });
	await ours.advance("2026-05-02T00:00:00Z");
	return stopped(ours);
}

/** A debit that was settled and returned, and a settled one. */
async function debits(): Promise<string> {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.customer("beta");
	await someDebits(ours.transactions, ours.actor, "acme");
	const [file] = await ours.insist("GET", "/direct-debit-files");
	const settle = async () => {
		await ours.insist("POST", `/direct-debit-files/${file.fileId}/settle`, {});
		const run = (task: Parameters<typeof settleDebits>[1]) => settleDebits(ours.thread, task);
		await drainTasks(ours.transactions, ["SETTLE_DIRECT_DEBITS"], run, openLog("silent"));
	};
	await settle();
	const [settled] = await ours.insist("GET", "/direct-debits?state=SETTLED");
	await ours.insist("POST", `/direct-debits/${settled.debitId}/return`, { code: "AM04" });
	return stopped(ours);
}

/** An entry of a bank statement that is a receipt of `acme`. */
async function bank(): Promise<string> {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.customer("beta");
	const [entity] = await ours.insist("GET", "/legal-entities");
	await ours.insist("PATCH", `/legal-entities/${entity.id}`, { bankAccount: { iban: "DE89370400440532013000" } });
	const movement = { cents: 4900, day: "2026-02-02", name: "A", iban: "NL91ABNA0417164300", text: "hello" };
	const movements = [{ ...movement, endToEndId: "NOTPROVIDED", bankReference: "B1", reference: "" }];
	const file = dutchMt940({ iban: "DE89370400440532013000", number: 1, openingCents: 0, movements });
	await ours.call("POST", "/bank-imports", { body: [...file].join("") });
	const run = (task: Parameters<typeof runBankImport>[1]) => runBankImport(ours.thread, task);
	await drainTasks(ours.transactions, ["IMPORT_BANK_STATEMENTS"], run, openLog("silent"));
	const [{ entryId }] = await ours.insist("GET", "/bank-entries");
	await ours.insist("POST", `/bank-entries/${entryId}/confirm`, { customerId: "acme" });
	return stopped(ours);
}
