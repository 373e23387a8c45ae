import { Command, Option } from "commander";
import type { Applied } from "../areas/catalog/operations";
import type { Actor, Transactions, Work } from "../kernel/work";
import type { CliContext } from "./context";
import { inEnvironment, readText } from "./file-commands";
import { environmentOption } from "./open-folder";

// The commands load the area: compiling its schema and reading YAML takes time that `--help` does not need.
const area = () => import("../areas/catalog/operations");
const files = () => import("../areas/catalog/rules.file");
const schemas = () => import("../areas/catalog/schema");
const views = () => import("../areas/catalog/rules.summary");

type Migration = "NEW_CUSTOMERS" | "ALL_CUSTOMERS";

interface Options {
	readonly environment?: string;
	readonly prune?: boolean;
	readonly migration: Migration;
	readonly json?: boolean;
}

const pruneOption = () => new Option("--prune", "archive what the environment has and the file has not");

const migrationOption = () =>
	new Option("--migration <type>", "whom new versions of plans and addons are for; ALL_CUSTOMERS moves subscriptions")
		.choices(["NEW_CUSTOMERS", "ALL_CUSTOMERS"])
		.default("NEW_CUSTOMERS");

const jsonOption = () => new Option("--json", "print the difference as JSON");

/** The commands for the catalogue as a file. They work alongside a running server, which sees the change at once. */
export function catalogCommand(context: CliContext): Command {
	const catalog = new Command("catalog").description(
		"The catalogue as a file (YAML or JSON), for price lists in git. Works on a stopped and on a running server.",
	);
	catalog
		.command("export")
		.description("write the catalogue as it is sold now; archived entries and drafts are left out")
		.argument("[file]", "written as YAML, or as JSON when its name ends so; standard output when left out")
		.addOption(environmentOption())
		.action((file: string | undefined, options: Options) => exportTo(context, file, options));
	catalog
		.command("plan")
		.description("print what apply would change, rehearsed and rolled back, so that what it would refuse shows too")
		.argument("<file>", "a catalogue; - is standard input")
		.addOption(environmentOption())
		.addOption(pruneOption())
		.addOption(migrationOption())
		.addOption(jsonOption())
		.action((file: string, options: Options) => change(context, file, options, dryRun));
	catalog
		.command("apply")
		.description("make the catalogue what the file says, whole or not at all; applying again changes nothing")
		.argument("<file>", "a catalogue; - is standard input")
		.addOption(environmentOption())
		.addOption(pruneOption())
		.addOption(migrationOption())
		.addOption(jsonOption())
		.action((file: string, options: Options) => change(context, file, options, perform));
	catalog
		.command("schema")
		.description("print the JSON Schema of such files")
		.action(async () => {
			const { catalogueJsonSchema } = await schemas();
			context.print(JSON.stringify(catalogueJsonSchema(), null, "\t"));
		});
	return catalog;
}

async function exportTo(context: CliContext, file: string | undefined, options: Options): Promise<void> {
	const { exportCatalogue } = await import("../areas/catalog/operations.export");
	const { formatOf, writeCatalogue } = await files();
	const catalogue = inEnvironment(context, options, (transactions, actor) => transactions.read(actor, exportCatalogue));
	const text = writeCatalogue(catalogue, formatOf(file ?? ""));
	if (file === undefined) context.print(text.trimEnd());
	else {
		await Bun.write(file, text);
		context.print(`wrote ${file}`);
	}
}

type Run = (transactions: Transactions, actor: Actor, body: (work: Work) => Applied) => Applied;

const perform: Run = (transactions, actor, body) => transactions.write(actor, body);

/** Carries the outcome out of a transaction that is rolled back. */
class Rehearsed extends Error {
	constructor(readonly applied: Applied) {
		super("rehearsed");
	}
}

/** Applies the file and rolls it back: refusals are found, and nothing changes. Only an exception rolls back. */
const dryRun: Run = (transactions, actor, body) => {
	try {
		return transactions.write<Applied>(actor, (work) => {
			throw new Rehearsed(body(work));
		});
	} catch (outcome) {
		if (outcome instanceof Rehearsed) return outcome.applied;
		throw outcome;
	}
};

async function change(context: CliContext, file: string, options: Options, run: Run): Promise<void> {
	const { applyCatalogue } = await area();
	const { readCatalogue } = await files();
	const { viewDifference } = await views();
	const wanted = readCatalogue(await readText(file));
	const { prune = false, migration, json } = options;
	const applied = inEnvironment(context, options, (transactions, actor) =>
		run(transactions, actor, (work) => applyCatalogue(work, wanted, { prune, migration })),
	);
	context.print(json ? JSON.stringify(applied, null, 2) : viewDifference(applied, run === perform));
}
