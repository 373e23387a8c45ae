import { join } from "node:path";
import { createEnvironment, createUser, hasEnvironment } from "./areas/access/operations";
import { systemActor } from "./areas/access/rules.actors";
import { keepAnchor } from "./areas/audit/operations.kept-anchor";
import type { Config } from "./config/config";
import { type OpenFiles, type OpenOptions, openPrepared, schemas } from "./files";
import { assertAgreement } from "./folder/agree";
import { assertFilled, fillFolder, hasMainFile, unfinishedIn } from "./folder/fill";
import { assertSecretRecorded, folderSecret, makeSecret, recordSecret } from "./folder/secret";
import { endUpgrade, needsUpgrade } from "./folder/upgrade-copy";
import { createFiles, prepareFiles } from "./kernel/storage/db";
import { writeWhole } from "./kernel/storage/disk";
import type { Transactions } from "./kernel/work";

interface DemoPerson {
	readonly email: string;
	readonly password: string;
}

export interface FirstKeys {
	readonly environmentId: string;
	readonly accountId: string;
	readonly fullAccessKey: string;
	readonly publishableKey: string;
	/** The demo's user, who may sign in to the console. */
	readonly person?: DemoPerson;
}

/** Returns the path of the keys of the first start, a file that only its owner can read. */
export const keysFile = (folder: string): string => join(folder, "initial-keys.txt");

export interface BegunFolder extends OpenFiles {
	/** Set when this was the first start: the only time that the keys are known. */
	readonly firstKeys: FirstKeys | undefined;
}

export interface BeginOptions extends OpenOptions {
	/** Upgrades an older folder. Its failure ends the start. Without it, this thread upgrades the folder. */
	readonly upgrade?: () => Promise<void>;
}

/**
 * Opens the folder and upgrades it to this version's schema. An empty folder gets a secret, an account, an environment with its two
 * default keys and, on request, the demo: all of it or nothing. A first start that was killed begins again; after it is done, no other
 * keys are made. The caller holds the folder's lock.
 */
export async function beginFolder(config: Config, options: BeginOptions = {}): Promise<BegunFolder> {
	const { dataDir } = config;
	const unfinished = unfinishedIn(dataDir);
	// Only another restore can complete the folder.
	if (unfinished === "restore") assertFilled(dataDir);
	if (unfinished === undefined && hasMainFile(dataDir)) {
		if (options.upgrade && needsUpgrade(dataDir)) await options.upgrade();
		prepareFiles(dataDir, schemas);
		endUpgrade(dataDir);
		const files = openPrepared(dataDir, options);
		assertAgreement(files.db.$client);
		if (files.transactions.read(systemActor(""), hasEnvironment)) {
			assertSecretRecorded(files.db.$client, dataDir);
			return { ...files, firstKeys: undefined };
		}
		// The folder is empty: a command made it, or a first start of an earlier version that was killed.
		files.db.$client.close();
	}
	// First of all: a damaged secret stops the start.
	makeSecret(dataDir);
	const firstKeys = await fillFolder(dataDir, "first start", () => fill(config));
	return { ...openPrepared(dataDir, options), firstKeys };
}

async function fill(config: Config): Promise<FirstKeys> {
	const { dataDir, demo } = config;
	createFiles(dataDir, schemas);
	const { db, transactions } = openPrepared(dataDir);
	try {
		recordSecret(db.$client, dataDir);
		const made = createFirstEnvironment(transactions, config);
		const keys = demo ? { ...made, person: await createDemoPerson(transactions, made) } : made;
		writeWhole(keysFile(dataDir), describeKeys(keys));
		if (demo) {
			const { seedDemo } = await import("./demo/seed");
			seedDemo(dataDir, db, keys);
		}
		keepAnchor(dataDir, folderSecret(dataDir));
		return keys;
	} finally {
		db.$client.close();
	}
}

/**
 * Creates a sandbox, whose clock can be advanced. Our choice (docs/interface/running.md#running): a production
 * environment is created on purpose.
 */
function createFirstEnvironment(transactions: Transactions, config: Config): FirstKeys {
	const { environment, fullAccessKey, publishableKey } = transactions.write(systemActor(""), (work) =>
		createEnvironment(work, {
			accountName: "Tollgate",
			environmentName: "sandbox",
			kind: "SANDBOX",
			fullAccessKey: config.bootstrapApiKey,
			publishableKey: config.bootstrapPublishableKey,
		}),
	);
	return { environmentId: environment.id, accountId: environment.accountId, fullAccessKey, publishableKey };
}

/** Creates the demo's user with a random password, so that no demo has a known one. */
async function createDemoPerson(transactions: Transactions, { accountId }: FirstKeys): Promise<DemoPerson> {
	const email = "owner@example.com";
	const password = Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString("base64url");
	const passwordHash = await Bun.password.hash(password, "argon2id");
	transactions.write(systemActor(""), (work) =>
		createUser(work, { email, name: "Demo owner", passwordHash, accountId, role: "OWNER" }),
	);
	return { email, password };
}

const describeKeys = ({ environmentId, fullAccessKey, publishableKey, person }: FirstKeys): string =>
	[
		`Environment      ${environmentId} (sandbox)`,
		`Full-access key  ${fullAccessKey}`,
		`Publishable key  ${publishableKey}`,
		...(person ? [`Console          ${person.email}`, `Password         ${person.password}`] : []),
		"",
	].join("\n");
