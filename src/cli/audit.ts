import { closeSync, openSync, writeSync } from "node:fs";
import { Command } from "commander";
import { chooseEnvironment } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { fail } from "../kernel/errors";
import type { Work } from "../kernel/work";
import type { CliContext } from "./context";
import { environmentOption, operator, withDoors } from "./open-folder";

/** Our choice: so many entries are read at once. */
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
	return audit;
}

async function exportLog(context: CliContext, file: string, { environment, account }: Options): Promise<void> {
	const { exportLines } = await import("../areas/audit/operations.export");
	withDoors(context, (transactions) => {
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
