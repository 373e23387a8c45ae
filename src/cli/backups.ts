import { basename, resolve } from "node:path";
import { Command } from "commander";
import type { Config } from "../config/config";
import { ConfigError } from "../config/setting";
import { assertCurrent } from "../files";
import type { Verified } from "../folder/archive";
import { makeBackup, pruneBackups } from "../folder/backups/make";
import { findBackup, listBackups, namesFile, openBackup, verifyBackup } from "../folder/backups/open";
import type { Backup } from "../folder/backups/rules.names";
import type { BackupSettings } from "../folder/backups/settings";
import { readErasuresNextTo, writeErasuresNextTo } from "../folder/erasures";
import { withStaging } from "../folder/staging";
import { toIso, wallClock } from "../kernel/clock";
import { FolderError } from "../kernel/errors";
import { isSealed, unsealFile } from "../kernel/sealed-files";
import type { CliContext } from "./context";

/** The commands for scheduled backups: `tollgate backup list` and so on. */
export const scheduledBackupCommands = ({ config, print }: CliContext): Command[] => [
	new Command("list")
		.description("List the scheduled backups in TOLLGATE_BACKUP_TO, oldest first.")
		.action(async () => {
			const { whole, unfinished } = await listBackups(settingsOf(config()));
			for (const backup of whole) print(describe(backup));
			if (whole.length === 0) print("no backups");
			for (const { name } of unfinished) print(`${name}  unfinished: it does not count`);
		}),
	new Command("now")
		.description("Make a backup in TOLLGATE_BACKUP_TO. Works while the server runs.")
		.action(async () => {
			const { dataDir, ...settings } = config();
			assertCurrent(dataDir);
			const backup = await makeBackup(dataDir, settingsOf(settings), wallClock);
			print(describe(backup));
		}),
	new Command("prune")
		.description("Remove the backups of this data folder that TOLLGATE_BACKUP_KEEP does not keep.")
		.action(async () => {
			const { dataDir, ...settings } = config();
			assertCurrent(dataDir);
			const pruned = await pruneBackups(dataDir, settingsOf(settings), wallClock);
			for (const { name } of pruned) print(`removed ${name}`);
			print(`removed ${pruned.length} backups`);
		}),
	new Command("verify")
		.description(
			"Fetch a scheduled backup, open its seal, and compare all of it with its checksums. Writes nothing else.",
		)
		.argument("[name]", "a name that `backup list` shows; all of them when left out")
		.action(async (name: string | undefined) => {
			const { dataDir, ...rest } = config();
			const settings = settingsOf(rest);
			const backups = name === undefined ? (await listBackups(settings)).whole : [await findBackup(settings, name)];
			let wrong = 0;
			for (const backup of backups)
				try {
					await inScratch(dataDir, (scratch) => verifyBackup(settings, backup, scratch));
					print(`${backup.name} is sound`);
				} catch (error) {
					if (!(error instanceof FolderError)) throw error;
					wrong += 1;
					print(`${backup.name}: ${error.message}`);
				}
			if (wrong > 0) throw new FolderError(`${wrong} of ${backups.length} backups cannot be restored.`);
		}),
];

/**
 * Gives `body` the archive that a text names: a file, a sealed file, or a backup in TOLLGATE_BACKUP_TO. The opened archive exists while
 * `body` runs.
 */
export async function withArchive<T>(
	config: Config,
	source: string,
	body: (archive: string) => Promise<T>,
): Promise<T> {
	if (namesFile(source)) {
		if (!(await isSealed(source))) return await body(source);
		const { key } = settingsOf(config);
		return await inScratch(config.dataDir, async (scratch) => {
			const archive = resolve(scratch, `${basename(source)}.tgz`);
			await unsealFile(key, source, archive);
			writeErasuresNextTo(archive, readErasuresNextTo(source));
			return await body(archive);
		});
	}
	if (!config.backups) return await body(source);
	const settings = config.backups;
	const backup = await findBackup(settings, source);
	return await inScratch(config.dataDir, async (scratch) => await body(await openBackup(settings, backup, scratch)));
}

/** The data folder may be empty: scratch files are no data. */
const inScratch = <T>(dataDir: string, body: (scratch: string) => Promise<T>): Promise<T> =>
	withStaging(dataDir, "opened-backup", body);

function settingsOf({ backups }: Pick<Config, "backups">): BackupSettings {
	if (backups) return backups;
	throw new ConfigError(
		"TOLLGATE_BACKUP_EVERY, TOLLGATE_BACKUP_TO and TOLLGATE_BACKUP_KEY must be set: they say where scheduled backups are.",
	);
}

const describe = ({ name, at, bytes }: Backup): string => `${name}  ${toIso(at)}  ${bytes} bytes`;

export const describeMade = ({ made }: Verified): string =>
	made
		? `: made at ${made.at} by Tollgate ${made.by}`
		: " as far as Tollgate can verify: a version that wrote no checksums made it";
