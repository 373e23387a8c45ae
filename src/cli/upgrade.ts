import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { keepAnchor, keptAnchorName } from "../areas/audit/operations.kept-anchor";
import { schemas } from "../files";
import { checkFolder } from "../folder/check";
import { hasMainFile } from "../folder/fill";
import { folderSecret } from "../folder/secret";
import { withStaging } from "../folder/staging";
import { copyFolder, needsUpgrade } from "../folder/upgrade-copy";
import { FolderError } from "../kernel/errors";
import { type FileName, filePath, prepareFiles } from "../kernel/storage/db";
import { newerSchema, schemaVersionOf } from "../kernel/storage/migrate";
import type { CliContext } from "./context";

const files = Object.keys(schemas) as FileName[];

export const upgradeCommand = ({ config, print }: CliContext): Command =>
	new Command("upgrade")
		.description("Try the upgrade of the data folder on a copy. The older server may run meanwhile.")
		.requiredOption("--dry-run", "upgrade a copy, check it, and report; `tollgate serve` upgrades the folder itself")
		.action(async () => {
			const { dataDir } = config();
			assertOlder(dataDir);
			await withStaging(dataDir, "upgrade", async (staging) => {
				const copy = join(staging, "copy");
				const begunAtMs = performance.now();
				await copyFolder(dataDir, copy, undefined);
				const copiedAtMs = performance.now();
				const bytesBefore = bytesOf(copy);
				prepareFiles(copy, schemas, (name, { from, to, tookMs }) => {
					if (tookMs !== undefined) print(`${name}: schema ${from} to ${to} in ${tookMs} ms`);
				});
				const upgradedAtMs = performance.now();
				print(`copied in ${ms(copiedAtMs - begunAtMs)}, upgraded in ${ms(upgradedAtMs - copiedAtMs)}`);
				print(`${bytesBefore} bytes before, ${bytesOf(copy)} bytes after`);
				// As a start does: versions before wrote no anchor.
				if (!existsSync(join(copy, keptAnchorName))) keepAnchor(copy, folderSecret(copy));
				const { findings, notes } = await checkFolder(copy, { billing: true });
				for (const line of [...findings, ...notes]) print(line);
				if (findings.length > 0)
					throw new FolderError(
						`${findings.length} findings after the upgrade. Run \`tollgate check --billing\` of the older version on the folder: findings that it has too are older than the upgrade.`,
					);
				print("sound after the upgrade");
			});
		});

/** Refuses a folder without data, of this version, or of a newer one. Throws FolderError. */
function assertOlder(folder: string): void {
	if (!existsSync(folder) || !hasMainFile(folder))
		throw new FolderError(`There is no Tollgate data in '${folder}': set TOLLGATE_DATA_DIR to another folder.`);
	for (const file of files) {
		const version = schemaVersionOf(filePath(folder, file));
		if (version !== undefined && version > schemas[file].length) throw newerSchema(version, schemas[file].length);
	}
	if (!needsUpgrade(folder)) throw new FolderError(`The data folder '${folder}' is at the schema of this version.`);
}

const bytesOf = (folder: string): number =>
	files
		.flatMap((file) => [filePath(folder, file), `${filePath(folder, file)}-wal`])
		.map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
		.reduce((sum, bytes) => sum + bytes, 0);

const ms = (duration: number): string => `${Math.round(duration)} ms`;
