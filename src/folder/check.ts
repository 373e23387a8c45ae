import { SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";
import { testClocksIn } from "../areas/access/environments/operations.clocks";
import { listEnvironments } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { checkAuditLog } from "../areas/audit/operations.check";
import { checkContracts } from "../areas/contracts/billing/operations.check";
import { checkContractBills } from "../areas/contracts/billing/operations.check-cycles";
import { checkChain, checkWallets } from "../areas/credits/audit/operations.check";
import { checkInvoices } from "../areas/invoices/operations.check";
import { checkRates } from "../areas/invoices/operations.check-rates";
import { checkSubscriptionBills } from "../areas/subscriptions/billing/operations.check";
import { checkArchives, checkStored, inStorage, leftOutOf } from "../areas/usage/archive/operations.check";
import { describeStored } from "../areas/usage/archive/rules.storage";
import { recounting } from "../areas/usage/counting/operations.recount";
import { checkingFingerprints } from "../areas/usage/log/operations.check";
import { schemas } from "../files";
import { type Instant, toIso, wallClock } from "../kernel/clock";
import { newUuidV7 } from "../kernel/ids";
import { type FileName, filePath, openFile } from "../kernel/storage/db";
import { carriedOutInTime } from "../kernel/storage/failures";
import { openTransactions } from "../kernel/storage/transactions";
import type { Database, Transactions } from "../kernel/work";
import { disagreements } from "./agree";
import { withStaging } from "./staging";

export interface Checked {
	/** What is wrong, a line each; empty when it is sound. */
	readonly findings: readonly string[];
	/** What was not looked at. */
	readonly notes: readonly string[];
}

/**
 * What is wrong with a folder. Changes nothing; works alongside a running server. Old events that are in the storage are read
 * and counted on request only: all of them are fetched. On request all that was ever invoiced is rated again, too, where the rest
 * is sound: the first difference is named.
 */
export async function checkFolder(folder: string, { storage = false, billing = false } = {}): Promise<Checked> {
	if (!existsSync(filePath(folder, "main")))
		return { findings: [`There is no Tollgate data in '${folder}'.`], notes: [] };
	const findings = (Object.keys(schemas) as FileName[]).flatMap((file) => checkFile(folder, file));
	if (findings.length > 0) return { findings, notes: [] };
	const apart = checkAgreement(folder);
	// Of files that are not of one time, each difference would be named again.
	if (apart.length > 0) return { findings: apart, notes: [] };
	const archives = [...(await checkArchives(folder)), ...(storage ? await checkStored(folder) : [])];
	// What they hold could not be read either.
	if (archives.length > 0) return { findings: archives, notes: [] };
	const leftOut = storage ? undefined : leftOutOf(folder);
	const usage = await withStaging(folder, "check", (scratch) => carriedOutInTime(recounting(folder, scratch, leftOut)));
	const fingerprints = await carriedOutInTime(checkingFingerprints(folder, leftOut));
	const meaning = [...fingerprints, ...usage, ...checkMeaning(folder)];
	return {
		findings: billing && meaning.length === 0 ? checkBilling(folder) : meaning,
		notes: leftOut ? notesOn(folder, leftOut.lastAt) : [],
	};
}

const notesOn = (folder: string, lastAt: Instant): string[] =>
	inStorage(folder).map(
		(part) =>
			`${describeStored(part)}, and were not looked at: totals were counted again for the hours after ${toIso(lastAt)} only. --storage reads all.`,
	);

/** Pages, indexes and references of one file, by SQLite's own checks. */
function checkFile(folder: string, file: FileName): string[] {
	let db: Database | undefined;
	try {
		db = openFile(folder, file);
		const damage = db.$client
			.query<{ integrity_check: string }, []>("PRAGMA integrity_check")
			.all()
			.map((row) => row.integrity_check)
			.filter((line) => line !== "ok");
		const dangling = db.$client.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").all();
		return [
			...damage.map((line) => `${file}.db: ${line}`),
			...dangling.map(
				({ table, parent }) => `${file}.db: a row of ${table} names a row of ${parent} that does not exist`,
			),
		];
	} catch (error) {
		// Beyond what its own checks can read.
		if (error instanceof SQLiteError) return [`${file}.db: ${error.message}`];
		throw error;
	} finally {
		db?.$client.close();
	}
}

/** Whether the files are of one time. */
function checkAgreement(folder: string): string[] {
	const db = openFile(folder, "main", ["usage", "events"]).$client;
	try {
		return disagreements(db);
	} finally {
		db.close();
	}
}

/**
 * Whether what the files say holds together: invoices and credit notes that sum up and are numbered without a gap, a credit
 * ledger of which nothing was changed, and wallets that are what it makes; contracts of which each cycle is invoiced once; an
 * audit log whose entries follow from each other.
 */
function checkMeaning(folder: string): string[] {
	return inTransactions(folder, (transactions) => {
		const environments = transactions.read(systemActor(""), listEnvironments);
		const chain = transactions.read(systemActor(""), checkChain);
		const log = transactions.read(systemActor(""), checkAuditLog);
		const documents = [checkInvoices, checkContracts];
		const checks = chain.length === 0 ? [...documents, checkWallets] : documents;
		return [
			...chain,
			...log,
			...environments.flatMap(({ id, name }) =>
				checks
					.flatMap((check) => transactions.read(systemActor(id), check))
					.map((finding) => `environment ${name}: ${finding}`),
			),
		];
	});
}

/** The first difference between what was invoiced and what it comes to, rated again; in the order of the environments. */
const checkBilling = (folder: string): string[] =>
	inTransactions(folder, (transactions) => {
		for (const { id, name } of transactions.read(systemActor(""), listEnvironments))
			for (const check of [checkRates, checkSubscriptionBills, checkContractBills]) {
				const [difference] = transactions.read(systemActor(id), (work) => check(work).take(1).toArray());
				if (difference) return [`environment ${name}: ${difference}`];
			}
		return [];
	});

function inTransactions<T>(folder: string, body: (transactions: Transactions) => T): T {
	const db = openFile(folder, "main", ["usage", "renders", "events", "deliveries"]);
	const transactions = openTransactions({
		db,
		clock: wallClock,
		testClocks: testClocksIn,
		newId: newUuidV7,
		wake: () => {},
	});
	try {
		return body(transactions);
	} finally {
		db.$client.close();
	}
}
