import { existsSync } from "node:fs";
import { Command } from "commander";
import type { Reapplied } from "../areas/privacy/operations.reapply";
import { erasureListName } from "../areas/privacy/rules.erasure-list";
import { describeStored, type InStorage } from "../areas/usage/archive/rules.storage";
import { beginFolder } from "../bootstrap";
import { assertEmpty } from "../folder/fill";
import { type LastCheck, noteLastCheck } from "../folder/last-check";
import { wallClock } from "../kernel/clock";
import { assert, codeOf, FolderError } from "../kernel/errors";
import { filePath } from "../kernel/storage/db";
import { lockFolder } from "../kernel/storage/lock";
import { describeMade, scheduledBackupCommands, withArchive } from "./backups";
import type { CliContext } from "./context";

export const demoCommand = ({ config, print }: CliContext): Command =>
	new Command("demo")
		.description("Fill an empty data folder with the demo catalogue, customers, usage and invoices.")
		.action(async () => {
			const settings = config();
			const unlock = lockFolder(settings.dataDir);
			try {
				assertEmpty(settings.dataDir);
				const { db, firstKeys: keys } = await beginFolder({ ...settings, demo: true });
				db.$client.close();
				assert(keys, "an empty folder gets keys");
				print(
					`seeded ${settings.dataDir}\nFull-access key  ${keys.fullAccessKey}\nPublishable key  ${keys.publishableKey}`,
				);
			} finally {
				unlock();
			}
		});

export const backupCommand = ({ config, print }: CliContext): Command =>
	scheduledBackupCommands({ config, print })
		.reduce((command, scheduled) => command.addCommand(scheduled), new Command("backup"))
		.description("Write a consistent copy of the data folder to one file. Works while the server runs.")
		.argument("<file>", "a new file, such as tollgate.tar.gz")
		.option("--verify", "write nothing: read a file that backup wrote, and compare all of it with its checksums")
		.action(async (file: string, { verify }: { verify?: true }) => {
			if (verify) {
				const { verifyArchive } = await import("../folder/archive");
				const verified = await verifyArchive(file);
				print(`${file} is sound${describeMade(verified)}`);
				for (const part of verified.stored) print(describeNeeded(part));
				return;
			}
			const { backUp } = await import("../folder/backup");
			const { bytes, stored } = await backUp(config().dataDir, file);
			print(`wrote ${file} (${bytes} bytes)`);
			for (const part of stored) print(describeNeeded(part));
		});

const describeNeeded = (part: InStorage): string =>
	`${describeStored(part)}: they are not in the backup, which needs them. Keep them as long as it.`;

export const restoreCommand = ({ config, print }: CliContext): Command =>
	new Command("restore")
		.description("Fill an empty data folder from a backup, after verifying it. The server must not run.")
		.argument("<file>", "a file that backup wrote; of scheduled backups a name that `backup list` shows, or `latest`")
		.option(
			"--erasures <file>",
			`another list of erasures, in addition to '${erasureListName}' next to the backup and in the bucket`,
		)
		.action(async (file: string, { erasures }: { erasures?: string }) => {
			const settings = config();
			const { dataDir } = settings;
			const { restore } = await import("../folder/backup");
			const { knownErasures } = await import("../folder/erasures");
			const known = await knownErasures(dataDir, erasures);
			const restored = await withArchive(settings, file, (archive) =>
				restore(archive, dataDir, {
					erasures: known,
					onUpgrade: (name, { from, to, tookMs }) => {
						if (tookMs !== undefined) print(`upgraded ${name} from schema ${from} to ${to} in ${tookMs} ms`);
					},
				}),
			);
			print(`restored ${file} to ${dataDir}${describeMade(restored)}`);
			for (const part of restored.stored) print(describeNeeded(part));
			for (const line of describeReapplied(restored.erasures)) print(line);
		});

function describeReapplied({ begun, waiting }: Reapplied): string[] {
	const lines = waiting.map(({ obstacle, requestedAt }) => `not erased again (erased on ${requestedAt}): ${obstacle}`);
	if (begun.length > 0)
		lines.unshift(
			`erasures that were requested after this backup: ${begun.length}; the server repeats them when it starts`,
		);
	if (waiting.length > 0) lines.push("Each start of the server tries the erasures again that are left.");
	return lines;
}

export const checkCommand = ({ config, print }: CliContext): Command =>
	new Command("check")
		.description("Check the integrity of the files and of what they say.")
		.option("--storage", "also old events in the S3 storage: fetches all of them, compares them, and counts them again")
		.option("--billing", "also rate all that was invoiced again, and name the first difference")
		.action(async (options: { storage?: true; billing?: true }) => {
			const { checkFolder } = await import("../folder/check");
			const { dataDir } = config();
			const billing = options.billing === true;
			const begunAtMs = performance.now();
			const { findings, notes } = await checkFolder(dataDir, { storage: options.storage === true, billing });
			const tookMs = Math.round(performance.now() - begunAtMs);
			const unrecorded = record(dataDir, { at: wallClock.now(), findings: findings.length, billing, tookMs });
			for (const line of [...findings, ...notes, ...unrecorded]) print(line);
			if (findings.length > 0) throw new FolderError(`${findings.length} findings.`);
			print("sound");
		});

/** Records a check for the metrics. A folder that cannot be written, such as a read-only copy, can be checked too: returns a note. */
function record(folder: string, check: LastCheck): string[] {
	if (!existsSync(filePath(folder, "main"))) return [];
	try {
		noteLastCheck(folder, check);
		return [];
	} catch (error) {
		return [`the result could not be recorded (${codeOf(error)}): metrics show the check before`];
	}
}

export const openapiCommand = ({ print }: CliContext): Command =>
	new Command("openapi").description("Print the OpenAPI document.").action(async () => {
		const { openApiDocument } = await import("./openapi");
		print(JSON.stringify(await openApiDocument(), null, "\t"));
	});
