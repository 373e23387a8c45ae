import { userInfo } from "node:os";
import { Command } from "commander";
import { useStorage } from "../areas/usage/archive/operations.storage";
import { runAs } from "../command";
import { type Environment, readConfig } from "../config/config";
import { version } from "../version";
import type { CliContext } from "./context";
import { type ExitStatus, explain } from "./explain";

/** The streams for the answers and the errors of a command. */
interface Streams {
	readonly stdout: { write(text: string): unknown };
	readonly stderr: { write(text: string): unknown };
}

export async function run(
	args: readonly string[],
	environment: Environment,
	{ stdout, stderr }: Streams = process,
): Promise<ExitStatus> {
	const context: CliContext = {
		config: () => {
			const config = readConfig(environment);
			useStorage(config.dataDir, config.storage);
			return config;
		},
		print: (text) => void stdout.write(`${text}\n`),
	};
	const program = await makeProgram(context, environment, args[0]);
	for (const command of [program, ...descendants(program)])
		command
			.exitOverride()
			.showHelpAfterError("Run with --help to see how it is used.")
			.configureOutput({ writeOut: (text) => void stdout.write(text), writeErr: (text) => void stderr.write(text) });
	program.hook("preAction", (_, action) => runAs({ operation: nameOf(action), ...operatorOf() }));
	try {
		await program.parseAsync([...args], { from: "user" });
		return 0;
	} catch (error) {
		return explain(error, stderr);
	}
}

type MakeCommand = (context: CliContext, environment: Environment) => Command;

/** The commands in the order of the help text. Each loads its module when it is needed: a start loads one of them. */
const commands: Readonly<Record<string, () => Promise<MakeCommand>>> = {
	serve: async () => (await import("./serve")).serveCommand,
	health: async () => (await import("./health")).healthCommand,
	"log-level": async () => (await import("./control")).logLevelCommand,
	profile: async () => (await import("./control")).profileCommand,
	heap: async () => (await import("./control")).heapCommand,
	catalog: async () => (await import("./catalog")).catalogCommand,
	budgets: async () => (await import("./budgets")).budgetsCommand,
	bank: async () => (await import("./bank")).bankCommand,
	clock: async () => (await import("./clock")).clockCommand,
	audit: async () => (await import("./audit")).auditCommand,
	usage: async () => (await import("./usage")).usageCommand,
	credits: async () => (await import("./credits")).creditsCommand,
	events: async () => (await import("./events")).eventsCommand,
	"identity-providers": async () => (await import("./identity-providers")).identityProvidersCommand,
	listen: async () => (await import("./listen")).listenCommand,
	secret: async () => (await import("./secret")).secretCommand,
	keys: async () => (await import("./keys")).keysCommand,
	users: async () => (await import("./users")).usersCommand,
	environments: async () => (await import("./environments")).environmentsCommand,
	demo: async () => (await import("./folder")).demoCommand,
	backup: async () => (await import("./folder")).backupCommand,
	restore: async () => (await import("./folder")).restoreCommand,
	upgrade: async () => (await import("./upgrade")).upgradeCommand,
	check: async () => (await import("./folder")).checkCommand,
	openapi: async () => (await import("./folder")).openapiCommand,
};

/** Returns the program with the command `name`; with all commands if there is none of that name. */
export async function makeProgram(context: CliContext, environment: Environment, name?: string): Promise<Command> {
	const program = new Command("tollgate")
		.description("Subscription billing, entitlements and usage metering: one executable, one data folder.")
		.version(version, "--version")
		.configureHelp({ showGlobalOptions: true });
	if (name === "--version") return program;
	const load = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
	for (const each of load ? [load] : Object.values(commands)) program.addCommand((await each())(context, environment));
	return program;
}

/** Returns nothing in a container whose user has no name. */
function operatorOf(): { readonly operator?: string } {
	try {
		const { username } = userInfo();
		return username === "" || username === "unknown" ? {} : { operator: username };
	} catch {
		return {};
	}
}

/** The command as a person types it: `tollgate keys create`. */
const nameOf = (command: Command): string =>
	command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

const descendants = (command: Command): Command[] =>
	command.commands.flatMap((child) => [child, ...descendants(child)]);
