import { Command } from "commander";
import type { BudgetDifference } from "../areas/governance/files/schema";
import type { CliContext } from "./context";
import { inEnvironment, readText } from "./file-commands";
import { environmentOption } from "./open-folder";

// The commands load the area and the reader of YAML: `--help` does not need them.
const area = () => import("../areas/governance/files/operations");
const files = () => import("../areas/catalog/rules.file");

interface Options {
	readonly environment?: string;
	readonly json?: boolean;
}

/** The commands for the budgets of a customer as a file. They work alongside a running server, which sees the change at once. */
export function budgetsCommand(context: CliContext): Command {
	const budgets = new Command("budgets").description(
		"The budgets of a customer as a file (YAML or JSON). Works on a stopped and on a running server.",
	);
	budgets
		.command("export")
		.description("write the budgets of a customer, without their usage")
		.argument("<customer>", "the customer's id")
		.argument("[file]", "written as YAML, or as JSON when its name ends so; standard output when left out")
		.addOption(environmentOption())
		.action((customer: string, file: string | undefined, options: Options) =>
			exportTo(context, customer, file, options),
		);
	for (const [verb, description] of [
		["plan", "print what apply would change, rehearsed and rolled back, so that what it would refuse shows too"],
		["apply", "make the budgets what the file says, all or none; applying again changes nothing"],
	] as const)
		budgets
			.command(verb)
			.description(description)
			.argument("<customer>", "the customer's id")
			.argument("<file>", "budgets; - is standard input")
			.addOption(environmentOption())
			.option("--json", "print the difference as JSON")
			.action((customer: string, file: string, options: Options) => change(context, customer, file, options, verb));
	return budgets;
}

async function exportTo(
	context: CliContext,
	customer: string,
	file: string | undefined,
	options: Options,
): Promise<void> {
	const { exportBudgetFile } = await area();
	const { formatOf, writeCatalogue } = await files();
	const budgets = inEnvironment(context, options, (transactions, actor) =>
		transactions.read(actor, (work) => exportBudgetFile(work, customer)),
	);
	const text = writeCatalogue(budgets, formatOf(file ?? ""));
	if (file === undefined) context.print(text.trimEnd());
	else {
		await Bun.write(file, text);
		context.print(`wrote ${file}`);
	}
}

async function change(
	context: CliContext,
	customer: string,
	file: string,
	options: Options,
	verb: "plan" | "apply",
): Promise<void> {
	const { applyBudgetFile, planBudgetFile } = await area();
	const { readDocument } = await files();
	const { TypeCompiler } = await import("@sinclair/typebox/compiler");
	const { BudgetFile } = await import("../areas/governance/files/schema");
	const { value: wanted } = readDocument(await readText(file), TypeCompiler.Compile(BudgetFile));
	const run = verb === "apply" ? applyBudgetFile : planBudgetFile;
	const difference = inEnvironment(context, options, (transactions, actor) =>
		transactions.write(actor, (work) => run(work, customer, wanted)),
	);
	context.print(options.json ? JSON.stringify(difference, null, 2) : viewDifference(difference, verb === "apply"));
}

/** Returns a readable difference, or one line if there is none. */
function viewDifference({ changes, kept }: BudgetDifference, isDone: boolean): string {
	const nameOf = ({ entityId, featureId, currencyId, scopeEntityIds }: BudgetDifference["kept"][number]): string =>
		[entityId, featureId ?? currencyId, ...(scopeEntityIds.length > 0 ? [`(${scopeEntityIds.join(", ")})`] : [])].join(
			" ",
		);
	const lines = changes.flatMap(({ action, fields, ...place }) => [
		`${action === "add" ? "+" : "~"} budget ${nameOf(place)}`,
		...fields.map(({ name, before, after }) =>
			action === "add" ? `    + ${name}: ${after}` : `    ~ ${name}: ${before} → ${after}`,
		),
	]);
	const count = (wanted: string): number => changes.filter(({ action }) => action === wanted).length;
	const [added, changed] = isDone ? ["added", "changed"] : ["to add", "to change"];
	if (changes.length === 0) lines.push("no changes");
	else lines.push("", `${count("add")} ${added}, ${count("change")} ${changed}.`);
	if (kept.length > 0) lines.push(`Not in the file, and left as they are: ${kept.length} budgets.`);
	return lines.join("\n");
}
