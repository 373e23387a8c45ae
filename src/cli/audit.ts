import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { Command } from "commander";
import { chooseEnvironment } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { folderSecret } from "../folder/secret";
import { FolderError, fail } from "../kernel/errors";
import type { Work } from "../kernel/work";
import type { CliContext } from "./context";
import { environmentOption, operator, withFolder } from "./open-folder";

/** The number of entries that are read at a time. */
const pieceMax = 500;

interface Options {
	readonly environment?: string;
	readonly account?: true;
}

export function auditCommand(context: CliContext): Command {
	const audit = new Command("audit").description(
		"The audit log: who changed what. `tollgate check` verifies it. Works on a stopped and on a running server.",
	);
	audit
		.command("export")
		.description("write the log of an environment to a file, a line of JSON for each entry, oldest first")
		.argument("<file>", "a new file")
		.addOption(environmentOption())
		.option("--account", "what belongs to no environment instead: members, sign-ins, roles")
		.action((file: string, options: Options) => exportLog(context, file, options));
	audit
		.command("anchor")
		.description("print the ends of all chains, signed: keep them outside of the data folder")
		.action(() => printAnchor(context));
	audit
		.command("verify-anchor")
		.description("compare the log with an anchor that was printed before")
		.argument("<file>", "a file that holds the anchor")
		.action((file: string) => verifyAnchor(context, file));
	return audit;
}

async function printAnchor(context: CliContext): Promise<void> {
	const { anchorOf } = await import("../areas/audit/operations.anchor");
	withFolder(context, (transactions, folder) => {
		const secret = folderSecret(folder);
		context.print(transactions.read(operator, (work) => anchorOf(work, secret)).trimEnd());
	});
}

/** The size of an anchor of about 50,000 environments. */
const anchorBytesMax = 16 * 1024 * 1024;

async function verifyAnchor(context: CliContext, file: string): Promise<void> {
	const { compareWithAnchor } = await import("../areas/audit/operations.anchor");
	const { readAnchor } = await import("../areas/audit/rules.anchor");
	if (!existsSync(file)) throw fail("BadUserInput", `There is no file '${file}'; name one that holds an anchor.`);
	if (statSync(file).size > anchorBytesMax)
		throw fail("BadUserInput", `The file '${file}' has more than ${anchorBytesMax} bytes; it is no anchor.`);
	const text = readFileSync(file, "utf8");
	withFolder(context, (transactions, folder) => {
		const anchor = readAnchor(folderSecret(folder), text);
		if (!anchor)
			throw new FolderError(
				`'${file}' is no anchor of this folder: its signature is not by this folder's secret, or its text was changed.`,
			);
		const { findings, notes } = transactions.read(operator, (work) => compareWithAnchor(work, anchor));
		for (const line of [...findings, ...notes]) context.print(line);
		if (findings.length > 0) throw new FolderError(`${findings.length} findings.`);
		context.print(`the log continues the anchor of ${anchor.at}`);
	});
}

async function exportLog(context: CliContext, file: string, { environment, account }: Options): Promise<void> {
	const { exportLines } = await import("../areas/audit/operations.export");
	withFolder(context, (transactions) => {
		const { id, accountId } = transactions.read(operator, (work: Work) => chooseEnvironment(work, environment));
		const actor = systemActor(id, accountId);
		const descriptor = openNew(file);
		try {
			let count = 0;
			let lastHash: string | undefined;
			for (let after: string | undefined, goesOn = true; goesOn; goesOn = after !== undefined) {
				const from = after;
				const level = account ? "account" : "environment";
				const piece = transactions.read(actor, (work) => exportLines(work, { level }, from, pieceMax));
				if (piece.text !== "") writeSync(descriptor, piece.text);
				count += piece.count;
				lastHash = piece.lastHash ?? lastHash;
				after = piece.next;
			}
			context.print(`wrote ${file}: ${count} entries${lastHash === undefined ? "" : `; the last hash is ${lastHash}`}`);
		} finally {
			closeSync(descriptor);
		}
	});
}

function openNew(file: string): number {
	try {
		return openSync(file, "wx", 0o600);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		throw fail("BadUserInput", `There is a file '${file}' already; name a new one.`);
	}
}
