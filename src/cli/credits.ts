import { Command, Option } from "commander";
import { chooseEnvironment, listEnvironments } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { assertCurrent, openFolder } from "../files";
import { FolderError } from "../kernel/errors";
import { lockFolder } from "../kernel/storage/lock";
import type { CliContext } from "./context";
import { operator } from "./open-folder";

export function creditsCommand(context: CliContext): Command {
	const credits = new Command("credits").description("What customers have in credits, by the ledger.");
	credits
		.command("rebuild")
		.description(
			"recalculate wallets, grants, usage and revenue of credits from the ledger, which `tollgate check` must find complete. The server must not run",
		)
		.addOption(new Option("--environment <id or name>", "of this environment only; of all when left out"))
		.action((options: { environment?: string }) => rebuild(context, options));
	return credits;
}

async function rebuild({ config, print }: CliContext, options: { readonly environment?: string }): Promise<void> {
	const { dataDir } = config();
	assertCurrent(dataDir);
	const unlock = lockFolder(dataDir);
	try {
		const { db, transactions } = openFolder(dataDir);
		try {
			const { checkChain } = await import("../areas/credits/verification/operations.check");
			const { rebuildCredits } = await import("../areas/credits/verification/operations.rebuild");
			const [broken] = transactions.read(operator, checkChain);
			if (broken !== undefined) throw new FolderError(`Nothing was changed: ${broken}`);
			const chosen = transactions.read(operator, (work) =>
				options.environment === undefined ? listEnvironments(work) : [chooseEnvironment(work, options.environment)],
			);
			for (const { id, name, accountId } of chosen) {
				const wallets = transactions.write(systemActor(id, accountId), rebuildCredits);
				print(`environment ${name}: ${wallets} wallets were rebuilt`);
			}
		} finally {
			db.$client.close();
		}
	} finally {
		unlock();
	}
}
