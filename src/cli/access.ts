import { Command, InvalidArgumentError, Option } from "commander";
import {
	addEnvironment,
	changeEnvironment,
	chooseEnvironment,
	createEnvironment,
	createKey,
	createUser,
	listEnvironments,
	listKeys,
	revokeKey,
	rotateKey,
} from "../areas/access/operations";
import { allowedOriginsMax, isOrigin, keyStatus, nameLengthMax } from "../areas/access/rules";
import { type Scope, scopeResources } from "../areas/access/rules.actors";
import { signingSecret } from "../areas/access/rules.secrets";
import type { BillingAnchor, EnvironmentKind, EnvironmentRow, Role } from "../areas/access/table";
import { folderSecret } from "../bootstrap";
import { type Instant, toIso } from "../kernel/clock";
import { shorten } from "../kernel/errors";
import { currencyCodes } from "../kernel/money";
import type { CliContext } from "./context";
import { environmentOption, operator, readInstant, withDoors } from "./open-folder";

function readScope(text: string, before: readonly Scope[] = []): Scope[] {
	const [resource, action] = text.toUpperCase().split(":");
	if (!scopeResources.some((one) => one === resource) || (action !== "READ" && action !== "WRITE"))
		throw new InvalidArgumentError(
			`A scope is RESOURCE:READ or RESOURCE:WRITE, with a resource of ${scopeResources.join(", ")}.`,
		);
	return [...before, `${resource}:${action}` as Scope];
}

function readName(text: string): string {
	const name = text.trim();
	if (name === "" || name.length > nameLengthMax)
		throw new InvalidArgumentError(`A name has 1 to ${nameLengthMax} characters.`);
	return name;
}

export const accessCommands = (context: CliContext): Command[] => [
	keysCommand(context),
	usersCommand(context),
	environmentsCommand(context),
];

function keysCommand(context: CliContext): Command {
	const { print } = context;
	const keys = new Command("keys").description("API keys. Works on a stopped and on a running server.");
	keys
		.command("create")
		.description("make a scoped key; its secret is shown this once")
		.requiredOption("--name <text>", "what it is for", readName)
		.requiredOption("--scope <RESOURCE:ACTION>", "a permission; may be given several times", readScope)
		.option("--expires <instant>", "when it ends, ISO 8601", readInstant)
		.addOption(environmentOption())
		.action((options: { name: string; scope: Scope[]; expires?: Instant; environment?: string }) =>
			withDoors(context, (transactions) => {
				const { key, secret } = transactions.write(operator, (work) =>
					createKey(work, chooseEnvironment(work, options.environment).id, {
						kind: "SCOPED",
						displayName: options.name,
						scopes: options.scope,
						expiresAt: options.expires,
					}),
				);
				print(`${key.id}  ${secret}`);
			}),
		);
	keys
		.command("list")
		.description("the keys of an environment, without their secrets")
		.addOption(environmentOption())
		.action(({ environment }: { environment?: string }) =>
			withDoors(context, (transactions) => {
				const lines = transactions.read(operator, (work) =>
					listKeys(work, chooseEnvironment(work, environment).id).map((key) =>
						[
							key.id,
							key.kind.padEnd(11),
							keyStatus(key, work.machineNow).padEnd(8),
							`${key.prefix}…`.padEnd(15),
							key.expiresAt === null ? "never ends" : `ends ${toIso(key.expiresAt)}`,
							key.displayName,
							key.scopes?.join(",") ?? "",
						].join("  "),
					),
				);
				print(lines.join("\n"));
			}),
		);
	keys
		.command("rotate")
		.description("replace a key by a new secret with the same rights")
		.argument("<id>", "the key's id (see list)")
		.option("--keep-until <instant>", "how long the old secret still works; not at all when left out", readInstant)
		.action((id: string, { keepUntil }: { keepUntil?: Instant }) =>
			withDoors(context, (transactions) => {
				const { key, secret } = transactions.write(operator, (work) => rotateKey(work, id, keepUntil));
				print(`${key.id}  ${secret}`);
			}),
		);
	keys
		.command("revoke")
		.description("end a key now")
		.argument("<id>", "the key's id (see list)")
		.action((id: string) =>
			withDoors(context, (transactions) => {
				transactions.write(operator, (work) => revokeKey(work, id));
				print(`revoked ${id}`);
			}),
		);
	return keys;
}

function usersCommand(context: CliContext): Command {
	const users = new Command("users").description("People who sign in. Works on a stopped and on a running server.");
	users
		.command("create")
		.description("make a user; the password is read from standard input when it is not an option")
		.requiredOption("--email <address>", "by which the user signs in")
		.option("--name <text>", "the user's name", readName)
		.option("--password <text>", "at least 10 characters; better given on standard input")
		.addOption(new Option("--role <role>", "in the account").choices(["OWNER", "MEMBER", "VIEWER"]).default("MEMBER"))
		.addOption(environmentOption())
		.action(async (options: { email: string; name?: string; password?: string; role: Role; environment?: string }) => {
			const password = options.password ?? (await Bun.stdin.text()).trim();
			if (!/^\S+@\S+$/.test(options.email))
				throw new InvalidArgumentError("An email address has a name, an @ and a host.");
			if (password.length < 10) throw new InvalidArgumentError("A password has at least 10 characters.");
			const passwordHash = await Bun.password.hash(password, "argon2id");
			withDoors(context, (transactions) => {
				const user = transactions.write(operator, (work) =>
					createUser(work, {
						email: options.email,
						name: options.name ?? null,
						passwordHash,
						accountId: chooseEnvironment(work, options.environment).accountId,
						role: options.role,
					}),
				);
				context.print(`${user.id}  ${user.email}`);
			});
		});
	return users;
}

/** "https://a.example,https://b.example"; an empty text for none. */
function readOrigins(text: string): string[] {
	const origins = [...new Set(text.split(",").map((origin) => origin.trim()))].filter((origin) => origin !== "");
	const wrong = origins.find((origin) => !isOrigin(origin));
	if (wrong !== undefined)
		throw new InvalidArgumentError(
			`'${shorten(wrong)}' is no origin: give scheme and host as browsers send them, such as https://app.example.com, without a path and without '*'.`,
		);
	if (origins.length > allowedOriginsMax)
		throw new InvalidArgumentError(`An environment allows at most ${allowedOriginsMax} origins.`);
	return origins;
}

const originsOf = ({ allowedOrigins }: EnvironmentRow): string =>
	`allowed origins ${allowedOrigins.length === 0 ? "none" : allowedOrigins.join(",")}`;

interface EnvironmentSettings {
	readonly environment?: string;
	readonly unknownCustomers?: "refuse" | "accept";
	readonly clientHardening?: "on" | "off";
	readonly allowedOrigins?: string[];
	readonly billingAnchor?: BillingAnchor;
	readonly currency?: string;
}

const changesOf = (options: EnvironmentSettings) => ({
	...(options.unknownCustomers && { unknownCustomers: options.unknownCustomers }),
	...(options.clientHardening && { clientHardening: options.clientHardening === "on" }),
	...(options.allowedOrigins && { allowedOrigins: options.allowedOrigins }),
	...(options.billingAnchor && { billingAnchor: options.billingAnchor }),
	...(options.currency && { defaultCurrency: options.currency }),
});

function currencyCode(text: string): string {
	const code = text.toLowerCase();
	if (!currencyCodes.includes(code)) throw new InvalidArgumentError(`'${shorten(text)}' is no currency of ISO 4217.`);
	return code;
}

function environmentsCommand(context: CliContext): Command {
	const { print } = context;
	const environments = new Command("environments").description("Environments, each with its own keys and data.");
	environments
		.command("list")
		.description("all of this folder")
		.action(() =>
			withDoors(context, (transactions) =>
				print(
					transactions
						.read(operator, listEnvironments)
						.map((environment) => {
							const { id, accountId, name, kind } = environment;
							return `${id}  ${kind.padEnd(11)}  ${name}  (account ${accountId}, ${originsOf(environment)})`;
						})
						.join("\n"),
				),
			),
		);
	environments
		.command("create")
		.description("one more, in the account of the first one or in a new account; its keys are shown this once")
		.requiredOption("--name <text>", "its name", readName)
		.option("--account <name>", "make a new account of this name for it", readName)
		.addOption(
			new Option("--kind <kind>", "what it is for")
				.choices(["PRODUCTION", "SANDBOX", "DEVELOPMENT"])
				.default("SANDBOX"),
		)
		.action((options: { name: string; account?: string; kind: EnvironmentKind }) =>
			withDoors(context, (transactions) => {
				const made = transactions.write(operator, (work) =>
					options.account
						? createEnvironment(work, {
								accountName: options.account,
								environmentName: options.name,
								kind: options.kind,
							})
						: addEnvironment(work, chooseEnvironment(work, undefined).accountId, options.name, options.kind),
				);
				print(
					`${made.environment.id}  ${made.environment.name}\nFull-access key  ${made.fullAccessKey}\nPublishable key  ${made.publishableKey}`,
				);
			}),
		);
	environments
		.command("set")
		.description(
			"change how an environment treats events of unknown customers, its publishable keys, new subscriptions, or amounts without a currency",
		)
		.addOption(environmentOption())
		.addOption(new Option("--unknown-customers <policy>", "for usage events").choices(["refuse", "accept"]))
		.addOption(
			new Option("--client-hardening <switch>", "whether publishable keys must send the customer's id signed").choices([
				"on",
				"off",
			]),
		)
		.option(
			"--allowed-origins <origins>",
			"whose web pages may call with the publishable key, comma-separated; an empty text for none",
			readOrigins,
		)
		.addOption(
			new Option(
				"--billing-anchor <anchor>",
				"from where the billing periods of new subscriptions are counted",
			).choices(["SUBSCRIPTION_START", "START_OF_THE_MONTH"]),
		)
		.addOption(
			new Option(
				"--currency <code>",
				"ISO 4217: what an amount is in that names no currency, where nothing beside it does either",
			).argParser(currencyCode),
		)
		.action((options: EnvironmentSettings) =>
			withDoors(context, (transactions, folder) => {
				const changes = changesOf(options);
				if (Object.keys(changes).length === 0)
					throw new InvalidArgumentError(
						"Name what is to change; `tollgate environments set --help` lists the settings.",
					);
				const changed = transactions.write(operator, (work) =>
					changeEnvironment(work, chooseEnvironment(work, options.environment).id, changes),
				);
				print(
					`unknown customers ${changed.unknownCustomers}, client hardening ${changed.clientHardening ? "on" : "off"}, ${originsOf(changed)}, billing anchor ${changed.billingAnchor}, currency ${changed.defaultCurrency}`,
				);
				if (options.clientHardening === "on")
					print(`signing secret, for your backend only: ${signingSecret(folderSecret(folder), changed.id)}`);
			}),
		);
	return environments;
}
