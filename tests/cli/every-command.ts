import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { makeProgram, run } from "../../src/cli/commands";
import { templateFolder } from "../support/folders";

const files = templateFolder();

/** Files that commands are given. The anchor, the catalogue and the budgets exist. */
export const given = {
	anchor: join(files, "anchor.json"),
	catalogue: join(files, "catalogue.yaml"),
	budgets: join(files, "budgets.yaml"),
	statement: join(files, "statement.sta"),
	archive: join(files, "archive.tgz"),
	audit: join(files, "audit.jsonl"),
} as const;

writeFileSync(given.anchor, "{}");
writeFileSync(given.catalogue, "version: 1\n");
writeFileSync(given.budgets, "budgets: []\n");
writeFileSync(
	given.statement,
	":20:1\n:25:DE02120300000000202051\n:28C:1\n:60F:C260101EUR0,00\n:62F:C260101EUR0,00\n-\n",
);

const leavesOf = (command: Command, path: readonly string[] = []): string[] =>
	command.commands.flatMap((child) => {
		const own = [...path, child.name()];
		// `backup FILE` is a command of its own, in addition to `backup list` and others.
		const isCommand = child.commands.length === 0 || child.registeredArguments.length > 0;
		return [...(isCommand ? [own.join(" ")] : []), ...leavesOf(child, own)];
	});

const program = await makeProgram({ config: () => expect.unreachable(), print: () => {} }, {});
export const all = leavesOf(program);

/** The commands that upgrade, fill or try to upgrade a folder, and those that open none. */
export const exempt = [
	"serve",
	"restore",
	"health",
	"log-level",
	"profile",
	"heap",
	"listen",
	"openapi",
	"events import",
	"catalog schema",
	"backup list",
	"backup verify",
	"upgrade",
];

/** The arguments without which a command does not get as far as the folder. */
export const argumentsOf: Readonly<Record<string, readonly string[]>> = {
	"catalog plan": [given.catalogue],
	"catalog apply": [given.catalogue],
	"budgets export": ["customer"],
	"budgets plan": ["customer", given.budgets],
	"budgets apply": ["customer", given.budgets],
	"bank match": [given.statement],
	"bank import": [given.statement],
	"clock advance": ["P1D"],
	"audit export": [given.audit],
	"audit verify-anchor": [given.anchor],
	"identity-providers end-requirement": ["example"],
	"keys create": ["--name", "reader", "--scope", "CUSTOMER:READ"],
	"keys rotate": ["key"],
	"keys revoke": ["key"],
	"users create": ["--email", "ada@example.com", "--password", "a long pass phrase"],
	"users set-password": ["--email", "ada@example.com", "--password", "a long pass phrase"],
	"users drop-second-factor": ["--email", "ada@example.com"],
	"users set-role": ["--email", "ada@example.com", "--role", "OWNER"],
	"environments create": ["--name", "test"],
	"environments archive": ["test"],
	"environments set": ["--client-hardening", "on"],
	"events tail": ["--no-follow"],
	backup: [given.archive],
};

/** Every command that opens a data folder. */
export const commands = all.filter((name) => !exempt.includes(name));

/** Runs a command on a folder, in this process. */
export async function runOn(folder: string, name: string, args = argumentsOf[name] ?? []) {
	const [output, errors]: [string[], string[]] = [[], []];
	const status = await run(
		[...name.split(" "), ...args],
		{ TOLLGATE_DATA_DIR: folder },
		{ stdout: { write: (text) => output.push(text) }, stderr: { write: (text) => errors.push(text) } },
	);
	return { status, output: output.join(""), errors: errors.join("") };
}
