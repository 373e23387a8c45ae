import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEnvironment, hasEnvironment } from "./areas/access/operations";
import type { Config } from "./config";
import { type Doors, systemActor } from "./kernel/work";

export interface FirstKeys {
	readonly environmentId: string;
	readonly accountId: string;
	readonly fullAccessKey: string;
	readonly publishableKey: string;
}

/** Where the keys of the first start lie, readable by the owner of the folder only. */
export const keysFile = (folder: string): string => join(folder, "initial-keys.txt");

/**
 * On an empty folder: the account, one environment and its two default keys (choices.md, "First start"). It is a sandbox, so
 * that everything can be tried, its clock turned too; the production environment is made on purpose (our choice).
 */
export function bootstrap(doors: Doors, config: Config): FirstKeys | undefined {
	const created = doors.write(systemActor(""), (work) =>
		hasEnvironment(work)
			? undefined
			: createEnvironment(work, {
					accountName: "Tollgate",
					environmentName: "sandbox",
					kind: "SANDBOX",
					fullAccessKey: config.bootstrapApiKey,
					publishableKey: config.bootstrapPublishableKey,
				}),
	);
	if (!created) return undefined;
	const { environment, fullAccessKey, publishableKey } = created;
	writePrivate(
		keysFile(config.dataDir),
		`Environment      ${environment.id} (${environment.name})\nFull-access key  ${fullAccessKey}\nPublishable key  ${publishableKey}\n`,
	);
	return { environmentId: environment.id, accountId: environment.accountId, fullAccessKey, publishableKey };
}

/** The folder's own secret: what client hardening's signing secrets are derived from. Made at the first start. */
export function folderSecret(folder: string): string {
	const path = join(folder, "secret");
	if (!existsSync(path)) writePrivate(path, Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex"));
	return readFileSync(path, "utf8").trim();
}

function writePrivate(path: string, text: string): void {
	writeFileSync(path, text, { mode: 0o600 });
	// The mode above counts only for a new file.
	chmodSync(path, 0o600);
}
