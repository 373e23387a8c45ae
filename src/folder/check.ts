import { existsSync, statSync } from "node:fs";
import { testClocksIn } from "../areas/access/environments/operations.clocks";
import { listEnvironments } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { checkAuditLog } from "../areas/audit/operations.check";
import { checkKeptAnchor } from "../areas/audit/operations.kept-anchor";
import { checkDebits } from "../areas/bank/debits/operations.check";
import { checkBankEntries } from "../areas/bank/operations.check";
import { checkContracts } from "../areas/contracts/billing/operations.check";
import { checkContractBills } from "../areas/contracts/billing/operations.check-cycles";
import { checkChain, checkWallets } from "../areas/credits/verification/operations.check";
import { checkParents } from "../areas/customers/parents/operations.check";
import { checkCases } from "../areas/dunning/operations.check";
import { checkBudgets } from "../areas/governance/operations.check";
import { checkDocuments } from "../areas/invoices/check/operations.check";
import { checkSeals } from "../areas/invoices/check/operations.check-seals";
import { checkRates } from "../areas/invoices/check/operations.rates";
import { checkInvoices } from "../areas/invoices/check/operations.sums";
import { checkDisputes } from "../areas/invoices/disputes/operations.check";
import { checkAttempts } from "../areas/invoices/payments/operations.check-attempts";
import { checkReceipts } from "../areas/invoices/payments/operations.check-receipts";
import { checkProviderRefunds } from "../areas/invoices/payments/operations.check-refunds";
import { checkErased } from "../areas/privacy/operations.check";
import { erasedCustomers } from "../areas/privacy/operations.erasure-list";
import { checkSubscriptionBills } from "../areas/subscriptions/billing/check/operations";
import { checkUsesOfCoupons } from "../areas/subscriptions/billing/check/operations.coupon-uses";
import { checkSpendThresholds } from "../areas/subscriptions/spend-thresholds/operations.check";
import { checkCountedEvents } from "../areas/usage/budgets/operations.check";
import { checkCountedReports } from "../areas/usage/reports/operations.check-budgets";
import { assertSchemas, schemas } from "../files";
import { wallClock } from "../kernel/clock";
import { FolderError } from "../kernel/errors";
import { newUuidV7 } from "../kernel/ids";
import { type FileName, filePath, openFile } from "../kernel/storage/db";
import { openTransactions } from "../kernel/storage/transactions";
import type { Transactions, Work } from "../kernel/work";
import { disagreements } from "./agree";
import { checkFile, checkReferences } from "./check-files";
import { checkLog, checkLogOnThread, type Source } from "./check-log";
import { CheckParts } from "./check-parts";
import { assertSecret, folderSecret, hasSecret, wasServed } from "./secret";

export interface Checked {
	/** A line for each finding; empty when the folder is sound. */
	readonly findings: readonly string[];
	/** A line for each part that was not checked. */
	readonly notes: readonly string[];
}

export interface CheckOptions {
	/** Also checks old events in the S3 storage. */
	readonly storage?: boolean;
	/** Also rates everything that was invoiced again. */
	readonly billing?: boolean;
	/** A log of so many bytes is checked on a thread of its own. Starting it takes longer than to check a smaller log. */
	readonly parallelFromBytes?: number;
}

const files = Object.keys(schemas) as FileName[];
/** The sources that the check of the log reads, and that other parts check. */
const sourcesOfLog: readonly Source[] = ["main.db", "events.db", "usage.db", "files of one time"];

const sourceOf = (file: FileName): Source => `${file}.db`;

/**
 * Checks a folder and returns its faults. Changes nothing; works alongside a running server. A damaged or missing file ends no
 * other part of the check. With `billing` it names the first difference.
 */
export async function checkFolder(
	folder: string,
	{ storage = false, billing = false, parallelFromBytes = 8 * 1024 * 1024 }: CheckOptions = {},
): Promise<Checked> {
	if (!files.some((file) => existsSync(filePath(folder, file))))
		return { findings: [`There is no Tollgate data in '${folder}'.`], notes: [] };
	assertSchemas(folder);
	const isLarge = fileBytes(folder, "events") >= parallelFromBytes;
	// Opening a missing file would create it.
	const isOnThread = isLarge && files.every((file) => existsSync(filePath(folder, file)));
	const [[ofThread], { parts, meaning }] = await Promise.all([
		Promise.allSettled(isOnThread ? [checkLogOnThread({ folder, storage, damaged: [] })] : []),
		checkFilesAndMeaning(folder),
	]);
	const { damaged } = parts.result;
	// The thread takes the files for sound. If they are not, its result is void.
	const areSound = !sourcesOfLog.some((source) => damaged.includes(source));
	if (areSound && ofThread?.status === "rejected") throw ofThread.reason;
	parts.add(
		areSound && ofThread?.status === "fulfilled" ? ofThread.value : await checkLog({ folder, storage, damaged }),
	);
	parts.add(meaning.result);
	if (billing && parts.findings.length === 0) await checkBilling(folder, parts);
	return { findings: parts.findings, notes: parts.notes };
}

/** Checks all but the log. The parts about the meaning of main.db stand apart. */
async function checkFilesAndMeaning(folder: string) {
	const parts = new CheckParts<Source>();
	for (const file of files) {
		const source = sourceOf(file);
		await parts.run({ name: source, source }, () => checkFile(folder, file));
		await parts.run({ name: `references within ${source}`, reads: [source] }, () => checkReferences(folder, file));
	}
	await parts.run(
		{
			name: "whether the files are of one time",
			reads: ["main.db", "usage.db", "events.db"],
			source: "files of one time",
		},
		() => checkAgreement(folder, parts),
	);
	await parts.run({ name: "the secret", reads: ["main.db"], source: "the secret" }, () => checkSecret(folder));
	const meaning = new CheckParts<Source>(parts.result.damaged);
	await checkMeaning(folder, meaning);
	return { parts, meaning };
}

const fileBytes = (folder: string, file: FileName): number =>
	statSync(filePath(folder, file), { throwIfNoEntry: false })?.size ?? 0;

/** Whether the files are of one time. */
function checkAgreement(folder: string, parts: CheckParts<Source>): string[] {
	const marked = parts.isDamaged("deliveries.db") ? [] : (["deliveries"] as const);
	const db = openFile(folder, "main", ["usage", "events", ...marked]).$client;
	try {
		return disagreements(db);
	} finally {
		db.close();
	}
}

/** Whether the folder has the secret that it was written with. */
function checkSecret(folder: string): string[] {
	const db = openFile(folder, "main").$client;
	try {
		if (wasServed(db, folder)) assertSecret(db, folder);
		return [];
	} catch (error) {
		if (error instanceof FolderError) return [error.message];
		throw error;
	} finally {
		db.close();
	}
}

/** One environment, as findings name it. */
interface Environment {
	readonly id: string;
	readonly name: string;
}

/**
 * Checks whether the documents hold together: numbered without a gap and summed up, the credit ledger unchanged and wallets as
 * it makes them, each cycle of a contract invoiced once, the entries of the audit log chained.
 */
const checkMeaning = (folder: string, parts: CheckParts<Source>): Promise<void> =>
	withTransactions(folder, parts, async (transactions, environments) => {
		const erased = transactions.read(systemActor(""), erasedCustomers);
		const ofAll = { transactions, reads: ["main.db"] } as const;
		await runCheck(parts, { ...ofAll, name: "the credit ledger", source: "the credit ledger" }, checkChain);
		await runCheck(parts, { ...ofAll, name: "the audit log" }, checkAuditLog);
		await runCheck(parts, { ...ofAll, name: "erased personal data" }, checkErased);
		// A folder without a secret was never served.
		if (hasSecret(folder))
			await parts.run({ name: "the anchor of the audit log", reads: ["main.db", "the secret"] }, () =>
				checkKeptAnchor(folder, folderSecret(folder)),
			);
		for (const environment of environments) {
			const own = { ...ofAll, environment };
			await runCheck(parts, { ...own, name: "invoices and credit notes" }, checkInvoices);
			await runCheck(parts, { ...own, name: "contracts" }, checkContracts);
			await runCheck(parts, { ...own, name: "budgets" }, checkBudgets);
			await runCheck(parts, { ...own, name: "usage of budgets" }, checkCountedReports);
			await runCheck(parts, { ...own, name: "events of budgets", reads: ["main.db", "events.db"] }, (work) =>
				checkCountedEvents(work, (customerId) => erased.has(customerId)),
			);
			await runCheck(parts, { ...own, name: "credit wallets", reads: ["main.db", "the credit ledger"] }, checkWallets);
		}
	});

/** Rates what was invoiced again and stops at the first difference, in the order of the environments. */
const checkBilling = (folder: string, parts: CheckParts<Source>): Promise<void> =>
	withTransactions(folder, parts, async (transactions, environments) => {
		const checks = {
			"what documents say": checkDocuments,
			receipts: checkReceipts,
			disputes: checkDisputes,
			"payment attempts": checkAttempts,
			"dunning cases": checkCases,
			"refunds through providers": checkProviderRefunds,
			"entries of bank statements": checkBankEntries,
			"direct debits": checkDebits,
			"the rates of invoices": checkRates,
			"parents of customers": checkParents,
			"bills of subscriptions": checkSubscriptionBills,
			"bills of contracts": checkContractBills,
			"uses of coupons": checkUsesOfCoupons,
			"usage at spend thresholds": checkSpendThresholds,
			"the seals of documents": checkSeals,
		};
		for (const environment of environments)
			for (const [name, check] of Object.entries(checks)) {
				if (parts.findings.length > 0) return;
				const reads = ["main.db", "usage.db", "events.db"] as const;
				await runCheck(parts, { transactions, environment, name, reads }, (work) => check(work).take(1));
			}
	});

interface CheckIn {
	readonly transactions: Transactions;
	readonly name: string;
	readonly reads: readonly Source[];
	readonly source?: Source;
	/** Left out: all of them. */
	readonly environment?: Environment;
}

/** Runs a check in a transaction of its own. */
function runCheck(
	parts: CheckParts<Source>,
	{ transactions, environment, name, ...part }: CheckIn,
	check: (work: Work) => Iterable<string>,
): Promise<void> {
	const start = environment ? `environment ${environment.name}: ` : "";
	return parts.run({ ...part, name: `${start}${name}` }, () =>
		transactions
			.read(systemActor(environment?.id ?? ""), (work) => [...check(work)])
			.map((finding) => `${start}${finding}`),
	);
}

/** Opens main.db with the other files that are sound. Nothing runs where main.db or its environments cannot be read. */
async function withTransactions(
	folder: string,
	parts: CheckParts<Source>,
	body: (transactions: Transactions, environments: readonly Environment[]) => Promise<void>,
): Promise<void> {
	await parts.run({ name: "what main.db says", reads: ["main.db"] }, async () => {
		const attached = (["usage", "renders", "events", "deliveries"] as const).filter(
			(file) => !parts.isDamaged(sourceOf(file)),
		);
		const db = openFile(folder, "main", attached);
		const transactions = openTransactions({
			db,
			clock: wallClock,
			testClocks: testClocksIn,
			newId: newUuidV7,
			wake: () => {},
		});
		try {
			await body(transactions, transactions.read(systemActor(""), listEnvironments));
			return [];
		} finally {
			db.$client.close();
		}
	});
}
