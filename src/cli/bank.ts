import { readFileSync, statSync } from "node:fs";
import { Command } from "commander";
import type { PreviewedItem } from "../areas/bank/operations.preview";
import type { CsvMapping } from "../areas/bank/statements/schema.mapping";
import { exact } from "../kernel/decimal";
import { fail } from "../kernel/errors";
import { minorDigits } from "../kernel/money";
import type { CliContext } from "./context";
import { inEnvironment, readText } from "./file-commands";
import { environmentOption } from "./open-folder";

interface Options {
	readonly environment?: string;
	readonly mapping?: string;
	readonly account?: string;
	readonly json?: boolean;
}

/** A file with 100,000 entries fits. */
const fileBytesMax = 64 * 1024 * 1024;

export function bankCommand(context: CliContext): Command {
	const bank = new Command("bank").description("Bank statements. Works on a stopped and on a running server.");
	bank
		.command("match")
		.description("print which open invoices the entries of a statement pay, and why; changes nothing")
		.argument("<file>", "a statement: CAMT.053, CAMT.054, MT940, or CSV with --mapping and --account")
		.addOption(environmentOption())
		.option("--mapping <file>", "how to read CSV, as YAML or JSON")
		.option("--account <iban>", "the account of a CSV file")
		.option("--json", "print one JSON object a line")
		.action((file: string, options: Options) => match(context, file, options));
	bank
		.command("import")
		.description(
			"record the entries of a statement: certain matches become receipts, others wait for a decision; a stopped server is not needed",
		)
		.argument("<file>", "a statement: CAMT.053, CAMT.054, MT940, or CSV with --account and the account's saved mapping")
		.addOption(environmentOption())
		.option("--account <iban>", "the account of a CSV file")
		.option("--json", "print the import as JSON")
		.action(async (file: string, options: Options) => {
			const { importFile } = await import("./bank.import");
			await importFile(context, bytesOf(file), options);
		});
	return bank;
}

async function match(context: CliContext, file: string, { mapping, account, ...options }: Options): Promise<void> {
	const { previewStatements } = await import("../areas/bank/operations.preview");
	const bytes = bytesOf(file);
	const read = mapping === undefined ? undefined : await mappingIn(mapping);
	const items = inEnvironment(context, options, (transactions, actor) =>
		transactions.read(actor, (work) =>
			previewStatements(work, { bytes, mapping: read, account: account?.replaceAll(" ", "").toUpperCase() }),
		),
	);
	for (const item of items) context.print(options.json ? JSON.stringify(item) : lineOf(item));
	if (!options.json) context.print(sumOf(items));
}

function bytesOf(file: string): Uint8Array {
	const found = statSync(file, { throwIfNoEntry: false });
	if (!found?.isFile()) throw fail("BadUserInput", `There is no file '${file}'; name the file that the bank offers.`);
	if (found.size > fileBytesMax)
		throw fail("BadUserInput", `'${file}' has more than ${fileBytesMax} bytes; download a shorter time at once.`);
	return readFileSync(file);
}

async function mappingIn(file: string): Promise<CsvMapping> {
	const { CsvMapping: schema } = await import("../areas/bank/statements/schema.mapping");
	const { readDocument } = await import("../areas/catalog/rules.file");
	const { TypeCompiler } = await import("@sinclair/typebox/compiler");
	return readDocument(await readText(file), TypeCompiler.Compile(schema)).value;
}

function lineOf(item: PreviewedItem): string {
	if (item.kind === "STATEMENT") return `statement ${item.number ?? "without a number"} of ${item.account}`;
	const { entry, isCertain, proposals } = item;
	const head = `  ${entry.bookedOn} ${exact(entry.amount).toFixed(minorDigits(entry.currency))} ${entry.currency.toUpperCase()} ${entry.partyName ?? "unknown"}:`;
	if (proposals.length === 0) return `${head} no open invoice`;
	const [first, ...others] = proposals.map(
		({ rule, numbers, reasons }) => `${numbers.join(" + ")} (${[rule, ...reasons].map(wordsOf).join(", ")})`,
	);
	if (isCertain) return `${head} pays ${first}`;
	return [`${head} perhaps ${first}`, ...others.map((other) => `    or ${other}`)].join("\n");
}

/** "AMOUNT_EQUAL" is "amount equal". */
const wordsOf = (name: string): string => name.toLowerCase().replaceAll("_", " ");

function sumOf(items: readonly PreviewedItem[]): string {
	const entries = items.filter((item) => item.kind === "ENTRY");
	const certain = entries.filter(({ isCertain }) => isCertain).length;
	const proposed = entries.filter(({ isCertain, proposals }) => !isCertain && proposals.length > 0).length;
	return `${entries.length} entries: ${certain} certain, ${proposed} with proposals, ${entries.length - certain - proposed} without an invoice`;
}
