import { Command, InvalidArgumentError } from "commander";
import {
	createScopedKey,
	findKeyAnywhere,
	lastUsesOf,
	listKeysOf,
	revokeKey,
	rotateKey,
} from "../areas/access/keys/operations";
import type { ApiKeyCreate } from "../areas/access/keys/schema";
import { chooseEnvironment, findEnvironment } from "../areas/access/operations";
import { keyStatus } from "../areas/access/rules";
import { type KeyResource, scopeResources, systemActor } from "../areas/access/rules.actors";
import type { ApiKeyRow } from "../areas/access/table";
import { readRange } from "../kernel/addresses";
import { type Instant, toIso } from "../kernel/clock";
import { fail, shorten } from "../kernel/errors";
import type { Actor, Work } from "../kernel/work";
import type { CliContext } from "./context";
import { environmentOption, operator, readInstant, readName, withFolder } from "./open-folder";

type Scope = ApiKeyCreate["scopes"][number];

function readScope(text: string, before: readonly Scope[] = []): Scope[] {
	const [resource, action] = text.toUpperCase().split(":");
	if (!scopeResources.some((one) => one === resource) || (action !== "READ" && action !== "WRITE"))
		throw new InvalidArgumentError(
			`A scope is RESOURCE:READ or RESOURCE:WRITE, with a resource of ${scopeResources.join(", ")}.`,
		);
	return [...before, { resource: resource as KeyResource, action }];
}

function readAddresses(text: string): string[] {
	const addresses = text.split(",").map((one) => one.trim());
	const wrong = addresses.find((one) => !readRange(one));
	if (wrong !== undefined)
		throw new InvalidArgumentError(`'${shorten(wrong)}' is neither an IP address nor a network such as 10.0.0.0/8.`);
	return addresses;
}

interface NewKeyOptions {
	readonly name: string;
	readonly scope: Scope[];
	readonly expires?: Instant;
	readonly allowedAddresses?: string[];
	readonly environment?: string;
}

export function keysCommand(context: CliContext): Command {
	const { print } = context;
	const keys = new Command("keys").description("API keys. Works on a stopped and on a running server.");
	keys
		.command("create")
		.description("make a scoped key; its secret is shown this once")
		.requiredOption("--name <text>", "what it is for", readName)
		.requiredOption("--scope <RESOURCE:ACTION>", "a permission; may be given several times", readScope)
		.option("--expires <instant>", "when it ends, ISO 8601", readInstant)
		.option(
			"--allowed-addresses <list>",
			"from where it may be used: addresses or networks, comma-separated",
			readAddresses,
		)
		.addOption(environmentOption())
		.action(({ name, scope, expires, allowedAddresses, environment }: NewKeyOptions) =>
			withFolder(context, (transactions) => {
				const actor = transactions.read(operator, (work) => ownerOf(work, environment));
				const { key, secret } = transactions.write(actor, (work) =>
					createScopedKey(work, {
						displayName: name,
						scopes: scope,
						...(allowedAddresses && { allowedAddresses }),
						...(expires !== undefined && { expireAt: toIso(expires) }),
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
			withFolder(context, (transactions) => {
				const actor = transactions.read(operator, (work) => ownerOf(work, environment));
				print(transactions.read(actor, linesOfKeys).join("\n"));
			}),
		);
	keys
		.command("rotate")
		.description("replace a key by a new secret with the same rights")
		.argument("<id>", "the key's id (see list)")
		.option("--keep-until <instant>", "how long the old secret still works; not at all when left out", readInstant)
		.action((id: string, { keepUntil }: { keepUntil?: Instant }) =>
			withFolder(context, (transactions) => {
				const actor = transactions.read(operator, (work) => ownerOfKey(work, id));
				const { key, secret } = transactions.write(actor, (work) => rotateKey(work, id, keepUntil));
				print(`${key.id}  ${secret}`);
			}),
		);
	keys
		.command("revoke")
		.description("end a key now")
		.argument("<id>", "the key's id (see list)")
		.action((id: string) =>
			withFolder(context, (transactions) => {
				const actor = transactions.read(operator, (work) => ownerOfKey(work, id));
				transactions.write(actor, (work) => revokeKey(work, id));
				print(`revoked ${id}`);
			}),
		);
	return keys;
}

/** Returns the actor for the owner of the folder in one of its environments. */
function ownerOf(work: Work, environment: string | undefined): Actor {
	const { id, accountId } = chooseEnvironment(work, environment);
	return systemActor(id, accountId);
}

/** Returns the same actor in the environment of a key. */
function ownerOfKey(work: Work, id: string): Actor {
	const key = findKeyAnywhere(work, id);
	const environment = key && findEnvironment(work, key.environmentId);
	if (!environment) throw fail("ApiKeyNotFound", `There is no key '${id}'; \`tollgate keys list\` shows them.`);
	return systemActor(environment.id, environment.accountId);
}

function linesOfKeys(work: Work): string[] {
	const keys = listKeysOf(work);
	const uses = lastUsesOf(
		work,
		keys.map(({ id }) => id),
	);
	return keys.map((key) => lineOf(key, work.machineNow, uses.get(key.id)));
}

const lineOf = (key: ApiKeyRow, now: Instant, usedAt: Instant | undefined): string =>
	[
		key.id,
		key.kind.padEnd(11),
		keyStatus(key, now).padEnd(8),
		`${key.prefix}…`.padEnd(15),
		key.expiresAt === null ? "never ends" : `ends ${toIso(key.expiresAt)}`,
		key.displayName,
		key.scopes?.join(",") ?? "",
		key.allowedAddresses.length === 0 ? "" : `from ${key.allowedAddresses.join(",")}`,
		usedAt === undefined ? "" : `used ${toIso(usedAt)}`,
	]
		.filter((part, at) => part !== "" || at < 7)
		.join("  ");
