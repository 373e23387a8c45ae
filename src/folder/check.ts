import { existsSync } from "node:fs";
import { testClocksIn } from "../areas/access/environments/operations.clocks";
import { listEnvironments } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { checkAuditLog } from "../areas/audit/operations.check";
import { checkKeptAnchor } from "../areas/audit/operations.kept-anchor";
import { checkContracts } from "../areas/contracts/billing/operations.check";
import { checkContractBills } from "../areas/contracts/billing/operations.check-cycles";
import { checkChain, checkWallets } from "../areas/credits/verification/operations.check";
import { checkDocuments } from "../areas/invoices/check/operations.check";
import { checkSeals } from "../areas/invoices/check/operations.check-seals";
import { checkInvoices } from "../areas/invoices/operations.check";
import { checkRates } from "../areas/invoices/operations.check-rates";
import { checkErased } from "../areas/privacy/operations.check";
import { checkSubscriptionBills } from "../areas/subscriptions/billing/operations.check";
import { checkArchives, checkStored, inStorage, leftOutOf } from "../areas/usage/archive/operations.check";
import { describeStored } from "../areas/usage/archive/rules.storage";
import { checkingFingerprints } from "../areas/usage/log/operations.check";
import { recounting } from "../areas/usage/recount/operations";
import { assertSchemas, schemas } from "../files";
import { type Instant, toIso, wallClock } from "../kernel/clock";
import { FolderError } from "../kernel/errors";
import { newUuidV7 } from "../kernel/ids";
import { type FileName, filePath, openFile } from "../kernel/storage/db";
import { carriedOutInTime } from "../kernel/storage/failures";
import { openTransactions } from "../kernel/storage/transactions";
import type { Transactions, Work } from "../kernel/work";
import { disagreements } from "./agree";
import { checkFile, checkReferences } from "./check-files";
import { CheckParts } from "./check-parts";
import { assertSecret, folderSecret, hasSecret, wasServed } from "./secret";
import { withStaging } from "./staging";

export interface Checked {
	/** A line for each finding; empty when the folder is sound. */
	readonly findings: readonly string[];
	/** A line for each part that was not checked. */
	readonly notes: readonly string[];
}

/** The sources that a part of the check can read: files by name, old events, and whether the files are of one time. */
type Source = `${FileName}.db` | "archive/" | "the log" | "files of one time" | "the credit ledger" | "the secret";

const files = Object.keys(schemas) as FileName[];
const sourceOf = (file: FileName): Source => `${file}.db`;

/**
 * Checks a folder and answers what is wrong with it. Changes nothing; works alongside a running server. A damaged or missing
 * file ends no other part of the check. `storage` also fetches and counts old events in the storage. `billing` also rates
 * everything that was invoiced again, if the rest is sound, and names the first difference.
 */
export async function checkFolder(folder: string, { storage = false, billing = false } = {}): Promise<Checked> {
	if (!files.some((file) => existsSync(filePath(folder, file))))
		return { findings: [`There is no Tollgate data in '${folder}'.`], notes: [] };
	assertSchemas(folder);
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
	const leftOutUntil = await checkEvents(folder, parts, storage);
	await checkMeaning(folder, parts);
	if (billing && parts.findings.length === 0) await checkBilling(folder, parts);
	const notOpened = leftOutUntil === undefined ? [] : notesOn(folder, leftOutUntil);
	return { findings: parts.findings, notes: [...parts.notes, ...notOpened] };
}

/** Checks the log, its archives and the totals. Answers the time of the newest event that was left out, if any was. */
async function checkEvents(folder: string, parts: CheckParts<Source>, storage: boolean): Promise<Instant | undefined> {
	await parts.run({ name: "the files of old events", reads: ["events.db"], source: "archive/" }, async () => [
		...(await checkArchives(folder)),
		...(storage ? await checkStored(folder) : []),
	]);
	if (parts.isDamaged("events.db")) return undefined;
	const leftOut = storage ? undefined : leftOutOf(folder);
	// Between files of different times, each event would be a finding.
	const reads = ["main.db", "events.db", "archive/", "files of one time"] as const;
	await parts.run({ name: "the fingerprints of events", reads, source: "the log" }, () =>
		carriedOutInTime(checkingFingerprints(folder, leftOut)),
	);
	await parts.run({ name: "the totals of usage", reads: [...reads, "usage.db", "the log"] }, () =>
		withStaging(folder, "check", (scratch) => carriedOutInTime(recounting(folder, scratch, leftOut))),
	);
	return leftOut?.lastAt;
}

const notesOn = (folder: string, lastAt: Instant): string[] =>
	inStorage(folder).map(
		(part) =>
			`${describeStored(part)}, and were not looked at: totals were counted again for the hours after ${toIso(lastAt)} only. --storage reads all.`,
	);

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
			await runCheck(parts, { ...own, name: "credit wallets", reads: ["main.db", "the credit ledger"] }, checkWallets);
		}
	});

/** Rates what was invoiced again and stops at the first difference, in the order of the environments. */
const checkBilling = (folder: string, parts: CheckParts<Source>): Promise<void> =>
	withTransactions(folder, parts, async (transactions, environments) => {
		const checks = {
			"what documents say": checkDocuments,
			"the rates of invoices": checkRates,
			"bills of subscriptions": checkSubscriptionBills,
			"bills of contracts": checkContractBills,
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
