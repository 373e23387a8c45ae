import { Command, InvalidArgumentError, Option } from "commander";
import {
	archiveOwnEnvironment,
	createOwnEnvironment,
	updateOwnEnvironment,
} from "../areas/access/environments/operations";
import { chooseEnvironment, createEnvironment, listEnvironments } from "../areas/access/operations";
import { allowedOriginsMax, isOrigin } from "../areas/access/rules";
import { systemActor } from "../areas/access/rules.actors";
import { signingSecret } from "../areas/access/rules.secrets";
import type { BillingAnchor, EnvironmentKind, EnvironmentRow } from "../areas/access/table";
import { assertTaxes } from "../areas/taxes/operations";
import { folderSecret } from "../folder/secret";
import { parseInstant, toIso } from "../kernel/clock";
import { shorten } from "../kernel/errors";
import { currencyCodes } from "../kernel/money";
import { type ProrationMode, prorationModes } from "../kernel/schema.proration-mode";
import { isTimeZone } from "../kernel/schema.time-zone";
import { workIn } from "../kernel/work";
import type { CliContext } from "./context";
import { environmentOption, operator, readName, withFolder } from "./open-folder";

/** Parses origins such as "https://a.example,https://b.example"; an empty text means none. */
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
	readonly proration?: ProrationMode;
	readonly timeZone?: string;
	readonly timeZoneSource?: "ENVIRONMENT" | "CUSTOMER";
	readonly currency?: string;
	readonly governance?: "on" | "off";
	readonly taxes?: string[];
	readonly taxRounding?: "line" | "invoice";
	readonly discountStacking?: "one" | "all";
	readonly booksClosedUntil?: string;
}

const changesOf = (options: EnvironmentSettings) => ({
	...(options.unknownCustomers && { unknownCustomers: options.unknownCustomers }),
	...(options.clientHardening && { clientHardening: options.clientHardening === "on" }),
	...(options.allowedOrigins && { allowedOrigins: options.allowedOrigins }),
	...(options.billingAnchor && { billingAnchor: options.billingAnchor }),
	...(options.timeZone && { timeZone: options.timeZone }),
	...(options.timeZoneSource && { timeZoneSource: options.timeZoneSource }),
	...(options.proration && { prorationMode: options.proration }),
	...(options.currency && { defaultCurrency: options.currency }),
	...(options.governance && { governance: options.governance === "on" }),
	...(options.taxes && { taxes: options.taxes.length === 0 ? null : options.taxes }),
	...(options.taxRounding && { taxRounding: upper(options.taxRounding) }),
	...(options.discountStacking && { discountStacking: upper(options.discountStacking) }),
	...(options.booksClosedUntil !== undefined && { booksClosedUntil: options.booksClosedUntil || null }),
});

const upper = <Text extends string>(text: Text): Uppercase<Text> => text.toUpperCase() as Uppercase<Text>;

const readIds = (text: string): string[] =>
	[...new Set(text.split(",").map((id) => id.trim()))].filter((id) => id !== "");

function timeZoneOf(text: string): string {
	if (!isTimeZone(text))
		throw new InvalidArgumentError(`'${shorten(text)}' is no IANA time zone, such as Europe/Berlin.`);
	return text;
}

function timeOf(text: string): string {
	if (text !== "" && parseInstant(text) === undefined)
		throw new InvalidArgumentError(`'${shorten(text)}' is no time, such as 2026-01-31T00:00:00Z.`);
	return text;
}

function currencyCode(text: string): string {
	const code = text.toLowerCase();
	if (!currencyCodes.includes(code)) throw new InvalidArgumentError(`'${shorten(text)}' is no currency of ISO 4217.`);
	return code;
}

export function environmentsCommand(context: CliContext): Command {
	const { print } = context;
	const environments = new Command("environments").description("Environments, each with its own keys and data.");
	environments
		.command("list")
		.description("all of this folder")
		.action(() =>
			withFolder(context, (transactions) =>
				print(
					transactions
						.read(operator, listEnvironments)
						.map((environment) => {
							const { id, accountId, name, kind, archivedAt } = environment;
							const archived = archivedAt === null ? "" : ", archived";
							return `${id}  ${kind.padEnd(11)}  ${name}  (account ${accountId}, ${originsOf(environment)}${archived})`;
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
			withFolder(context, (transactions) => {
				const { account, name, kind } = options;
				const made = transactions.write(operator, (work) =>
					account !== undefined
						? createEnvironment(work, { accountName: account, environmentName: name, kind })
						: createOwnEnvironment(workIn(work, systemActor("", chooseEnvironment(work, undefined).accountId)), {
								name,
								type: kind,
							}),
				);
				print(
					`${made.environment.id}  ${made.environment.name}\nFull-access key  ${made.fullAccessKey}\nPublishable key  ${made.publishableKey}`,
				);
			}),
		);
	environments
		.command("archive")
		.description("end an environment for good: no key calls there any more, and nothing falls due; its data stays")
		.argument("<id or name>", "which one; the last one of an account stays")
		.action((idOrName: string) =>
			withFolder(context, (transactions) => {
				const { id, accountId } = transactions.read(operator, (work) => chooseEnvironment(work, idOrName));
				transactions.write(systemActor(id, accountId), archiveOwnEnvironment);
				print(`archived ${idOrName}`);
			}),
		);
	environments
		.command("set")
		.description(
			"change how an environment treats events of unknown customers, its publishable keys, new subscriptions, amounts without a currency, taxes, coupons, or budgets",
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
		.addOption(new Option("--time-zone <zone>", "the IANA time zone of new billing periods").argParser(timeZoneOf))
		.addOption(
			new Option("--time-zone-source <source>", "whose time zone a new subscription has").choices([
				"ENVIRONMENT",
				"CUSTOMER",
			]),
		)
		.addOption(
			new Option("--proration <mode>", "how parts of billing periods are charged and credited").choices(prorationModes),
		)
		.addOption(
			new Option(
				"--currency <code>",
				"ISO 4217: the currency of an amount that names none, if nothing else in the request names one",
			).argParser(currencyCode),
		)
		.addOption(
			new Option("--governance <switch>", "whether budgets of entities limit and count usage").choices(["on", "off"]),
		)
		.option(
			"--taxes <ids>",
			"the taxes that apply where no lower level assigns any, comma-separated; an empty text for none",
			readIds,
		)
		.addOption(new Option("--tax-rounding <each>", "what a tax is rounded for").choices(["line", "invoice"]))
		.addOption(
			new Option(
				"--discount-stacking <which>",
				"whether one coupon applies, or those of subscription and customer together",
			).choices(["one", "all"]),
		)
		.option(
			"--books-closed-until <time>",
			"no change can be dated before this time; an empty text opens the books",
			timeOf,
		)
		.action((options: EnvironmentSettings) => {
			const changes = changesOf(options);
			if (Object.keys(changes).length === 0)
				throw new InvalidArgumentError(
					"Name what is to change; `tollgate environments set --help` lists the settings.",
				);
			withFolder(context, (transactions, folder) => {
				const { id, accountId } = transactions.read(operator, (work) => chooseEnvironment(work, options.environment));
				const changed = transactions.write(systemActor(id, accountId), (work) =>
					updateOwnEnvironment(work, changes, assertTaxes),
				);
				print(
					`unknown customers ${changed.unknownCustomers}, client hardening ${changed.clientHardening ? "on" : "off"}, ${originsOf(changed)}, billing anchor ${changed.billingAnchor}, proration ${changed.prorationMode}, time zone ${changed.timeZone} (${changed.timeZoneSource}), currency ${changed.defaultCurrency}, governance ${changed.governance ? "on" : "off"}, taxes ${changed.taxes?.join(",") ?? "none"} rounded by ${changed.taxRounding === "INVOICE" ? "invoice" : "line"}, discount stacking ${changed.discountStacking === "ALL" ? "all" : "one"}, books ${changed.booksClosedUntil === null ? "open" : `closed until ${toIso(changed.booksClosedUntil)}`}`,
				);
				if (options.clientHardening === "on")
					print(`signing secret, for your backend only: ${signingSecret(folderSecret(folder), changed.id)}`);
			});
		});
	return environments;
}
