import { SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";
import { listEnvironments } from "../areas/access/operations";
import { testClocksIn } from "../areas/access/operations.clocks";
import { systemActor } from "../areas/access/rules.actors";
import { checkChain, checkWallets } from "../areas/credits/audit/operations.check";
import { checkInvoices } from "../areas/invoices/operations.check";
import { checkArchives } from "../areas/usage/archive/operations.check";
import { recountUsage } from "../areas/usage/counting/operations.recount";
import { checkFingerprints } from "../areas/usage/log/operations.check";
import { schemas } from "../files";
import { wallClock } from "../kernel/clock";
import { type FileName, filePath, openFile } from "../kernel/db";
import { newUuidV7 } from "../kernel/ids";
import { openTransactions } from "../kernel/transactions";
import type { Database } from "../kernel/work";
import { disagreements } from "./agree";
import { withStaging } from "./staging";

/** What is wrong with a folder, a line each; empty when it is sound. Changes nothing; works alongside a running server. */
export async function checkFolder(folder: string): Promise<string[]> {
	if (!existsSync(filePath(folder, "main"))) return [`There is no Tollgate data in '${folder}'.`];
	const findings = (Object.keys(schemas) as FileName[]).flatMap((file) => checkFile(folder, file));
	if (findings.length > 0) return findings;
	const apart = checkAgreement(folder);
	// Of files that are not of one time, each difference would be named again.
	if (apart.length > 0) return apart;
	const archives = await checkArchives(folder);
	// What they hold could not be read either.
	if (archives.length > 0) return archives;
	const usage = await withStaging(folder, "check", (scratch) => recountUsage(folder, scratch));
	return [...checkFingerprints(folder), ...usage, ...checkMeaning(folder)];
}

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
 * ledger of which nothing was changed, and wallets that are what it makes.
 */
function checkMeaning(folder: string): string[] {
	const db = openFile(folder, "main", ["usage", "renders", "events"]);
	const transactions = openTransactions({
		db,
		clock: wallClock,
		testClocks: testClocksIn,
		newId: newUuidV7,
		wake: () => {},
	});
	try {
		const environments = transactions.read(systemActor(""), listEnvironments);
		const chain = transactions.read(systemActor(""), checkChain);
		const checks = chain.length === 0 ? [checkInvoices, checkWallets] : [checkInvoices];
		return [
			...chain,
			...environments.flatMap(({ id, name }) =>
				checks
					.flatMap((check) => transactions.read(systemActor(id), check))
					.map((finding) => `environment ${name}: ${finding}`),
			),
		];
	} finally {
		db.$client.close();
	}
}
