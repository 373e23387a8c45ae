import { chooseEnvironment } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { openFolder } from "../files";
import { fail } from "../kernel/errors";
import type { Actor, Transactions } from "../kernel/work";
import type { CliContext } from "./context";

/** Reads a file, or standard input for `-`. Throws BadUserInput. */
export async function readText(file: string): Promise<string> {
	const { fileBytesMax } = await import("../areas/catalog/schema");
	if (file === "-") return await Bun.stdin.text();
	const source = Bun.file(file);
	if (!(await source.exists())) throw fail("BadUserInput", `There is no file '${file}'.`);
	if (source.size > fileBytesMax)
		throw fail("BadUserInput", `'${file}' is larger than ${fileBytesMax} bytes, the most a file may have.`);
	return await source.text();
}

/** Runs the body as the operator in an environment, the first one if none is named. */
export function inEnvironment<T>(
	{ config }: CliContext,
	{ environment }: { readonly environment?: string },
	body: (transactions: Transactions, actor: Actor) => T,
): T {
	const { db, transactions } = openFolder(config().dataDir);
	try {
		const { id, accountId } = transactions.read(systemActor(""), (work) => chooseEnvironment(work, environment));
		return body(transactions, systemActor(id, accountId));
	} finally {
		db.$client.close();
	}
}
