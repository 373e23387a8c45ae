import { userInfo } from "node:os";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { useStorage } from "../areas/usage/archive/operations.storage";
import { banner } from "../banner";
import { assertKnown, describeSettings, type Environment, readConfig } from "../config/config";
import { ConfigError } from "../config/setting";
import { runAs } from "../files";
import { openLog } from "../http/log";
import { CannotListen } from "../http/server";
import { codeOf, DomainError, FolderError } from "../kernel/errors";
import { TooFewDescriptors } from "../kernel/storage/descriptors";
import { FileUnreadable, isDamage, isDiskFull, StorageError } from "../kernel/storage/failures";
import { serve } from "../server/start";
import { version } from "../version";
import { accessCommands } from "./access";
import { auditCommand } from "./audit";
import { catalogCommand } from "./catalog";
import { clockCommand } from "./clock";
import type { CliContext } from "./context";
import { creditsCommand } from "./credits";
import { eventsCommand } from "./events";
import { folderCommands } from "./folder";
import { identityProvidersCommand } from "./identity-providers";
import { listenCommand } from "./listen";
import { secretCommand } from "./secret";
import { usageCommand } from "./usage";

/** Exit status: 0 done, 1 failed, 2 wrong usage (docs/interface/running.md). */
type ExitStatus = 0 | 1 | 2;

/** Where a command writes its answers and its errors. */
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
	const program = makeProgram(context, environment);
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

/** Every command of the command line. */
export function makeProgram(context: CliContext, environment: Environment): Command {
	const program = new Command("tollgate")
		.description("Subscription billing, entitlements and usage metering: one executable, one data folder.")
		.version(version, "--version")
		.configureHelp({ showGlobalOptions: true });
	program
		.addCommand(serveCommand(context, environment))
		.addCommand(healthCommand(context))
		.addCommand(catalogCommand(context))
		.addCommand(clockCommand(context))
		.addCommand(auditCommand(context))
		.addCommand(usageCommand(context))
		.addCommand(creditsCommand(context))
		.addCommand(eventsCommand(context))
		.addCommand(identityProvidersCommand(context))
		.addCommand(listenCommand(context))
		.addCommand(secretCommand(context));
	for (const command of [...accessCommands(context), ...folderCommands(context)]) program.addCommand(command);
	return program;
}

/** In a container a user need not have a name. */
function operatorOf(): { readonly operator?: string } {
	try {
		const { username } = userInfo();
		return username === "" || username === "unknown" ? {} : { operator: username };
	} catch {
		return {};
	}
}

/** As it is typed: `tollgate keys create`. */
const nameOf = (command: Command): string =>
	command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

const descendants = (command: Command): Command[] =>
	command.commands.flatMap((child) => [child, ...descendants(child)]);

/** Reasons why a path that the operator has named cannot be used. */
const obstacles: Readonly<Record<string, string>> = {
	ENOENT: "does not exist",
	EACCES: "is not open to this user",
	EPERM: "is not open to this user",
	EROFS: "is on a disk that is only read",
	ENOTDIR: "lies below a file",
	EISDIR: "is a folder",
	EEXIST: "exists already",
	ENAMETOOLONG: "has too long a name",
	ELOOP: "is a link to itself",
};

/** A sentence for what a person can mend; the whole error for what is a bug of ours. */
function explain(error: unknown, stderr: Streams["stderr"]): ExitStatus {
	// What is wrong with an argument has been printed, unless a command itself has found it.
	const isArgument = error instanceof InvalidArgumentError;
	if (error instanceof CommanderError && !isArgument) return error.exitCode === 0 ? 0 : 2;
	const message = messageOf(error);
	stderr.write(`tollgate: ${message}\n`);
	return error instanceof ConfigError || isArgument ? 2 : 1;
}

function messageOf(error: unknown): string {
	if (
		error instanceof DomainError ||
		error instanceof ConfigError ||
		error instanceof FolderError ||
		error instanceof CannotListen ||
		error instanceof CannotReach ||
		error instanceof StorageError ||
		error instanceof TooFewDescriptors ||
		error instanceof InvalidArgumentError
	)
		return error.message;
	if (error instanceof FileUnreadable) return error.cause instanceof Error ? error.cause.message : error.message;
	if (!(error instanceof Error)) return String(error);
	const code = codeOf(error);
	const obstacle = obstacles[code];
	if (obstacle !== undefined && "path" in error)
		return `The file or folder '${error.path}' ${obstacle} (${code}). Name another one; TOLLGATE_DATA_DIR sets the data folder.`;
	if (/^SQLITE_(READONLY|CANTOPEN)/.test(code))
		return `The data folder cannot be written (${code}): give this user the right to write it, or set TOLLGATE_DATA_DIR to another one.`;
	if (isDamage(error))
		return `A file of the data folder is damaged (${code}: ${error.message}): \`tollgate check\` says which; restore a backup.`;
	if (isDiskFull(error))
		return `The disk is full (${code}): make room, then start again; nothing acknowledged is lost.`;
	return error.stack ?? error.message;
}

function serveCommand({ config, print }: CliContext, environment: Environment): Command {
	return new Command("serve")
		.description("Run the server.")
		.addHelpText("after", describeSettings())
		.addOption(new Option("--demo", "seed the demo catalogue on an empty data folder (also TOLLGATE_DEMO=1)"))
		.action(async ({ demo }: { demo?: boolean }) => {
			assertKnown(environment);
			const read = config();
			const settings = { ...read, demo: read.demo || demo === true };
			const log = openLog(settings.logLevel);
			const stop = Promise.withResolvers<void>();
			// Before the port is open nobody has been answered: a signal ends the process where it is. A terminal and npm may both send
			// one: the second does not end what the first has begun.
			let onSignal = (): void => process.exit(1);
			for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => onSignal());
			const onOpen = (): void => {
				onSignal = stop.resolve;
			};
			const server = await serve(settings, log, { onOpen, stopRequested: stop.promise });
			// Keys belong on a person's screen, not in what collects logs: there, lines of JSON say where they are (serve.ts).
			if (process.stdout.isTTY) print(banner(server, settings.dataDir, settings.demo));
			await stop.promise;
			await server.stop();
		});
}

/** For a container's health check, which has no other HTTP client in a small image. */
function healthCommand({ config, print }: CliContext): Command {
	return new Command("health")
		.description("Ask the running server whether it is ready.")
		.option("--alive", "ask only whether it is alive: a server with a full disk is, and a restart does not help it")
		.action(async ({ alive }: { alive?: true }) => {
			const { host, port } = config();
			const server = `${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
			const state = alive ? "alive" : "ready";
			const answer = await fetch(`http://${server}${alive ? "/healthz" : "/readyz"}`).catch(() => undefined);
			if (!answer)
				throw new CannotReach(`No server answers at ${server}: start it, or set TOLLGATE_HOST and TOLLGATE_PORT.`);
			if (!answer.ok) throw new CannotReach(`The server at ${server} is not ${state}: ${await answer.text()}`);
			print(state);
		});
}

/** The running server that a command asks does not answer as it should. */
class CannotReach extends Error {}
