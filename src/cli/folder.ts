import { Command } from "commander";
import { bootstrap } from "../bootstrap";
import { openFolder } from "../files";
import { FolderError } from "../kernel/errors";
import { lockFolder } from "../kernel/lock";
import type { CliContext } from "./commands";

/** Commands on the data folder as a whole. What each needs is loaded when it runs: a server needs none of it. */
export const folderCommands = (context: CliContext): Command[] => [
	demoCommand(context),
	backupCommand(context),
	restoreCommand(context),
	checkCommand(context),
	openapiCommand(context),
];

const demoCommand = ({ config, print }: CliContext): Command =>
	new Command("demo")
		.description("Fill an empty data folder with the demo catalogue, customers, usage and invoices.")
		.action(async () => {
			const settings = config();
			const unlock = lockFolder(settings.dataDir);
			const { db, doors } = openFolder(settings.dataDir);
			try {
				const keys = bootstrap(doors, settings);
				if (!keys)
					throw new Error(`The data folder '${settings.dataDir}' is not empty; set TOLLGATE_DATA_DIR to a new one.`);
				const { seedDemo } = await import("../demo/seed");
				seedDemo(settings.dataDir, db, keys);
				print(
					`seeded ${settings.dataDir}\nFull-access key  ${keys.fullAccessKey}\nPublishable key  ${keys.publishableKey}`,
				);
			} finally {
				db.$client.close();
				unlock();
			}
		});

const backupCommand = ({ config, print }: CliContext): Command =>
	new Command("backup")
		.description("Write a consistent copy of the data folder to one file. Works while the server runs.")
		.argument("<file>", "a new file, such as tollgate.tar.gz")
		.action(async (file: string) => {
			const { backUp } = await import("../folder/backup");
			const bytes = await backUp(config().dataDir, file);
			print(`wrote ${file} (${bytes} bytes)`);
		});

const restoreCommand = ({ config, print }: CliContext): Command =>
	new Command("restore")
		.description("Fill an empty data folder from a backup. The server must not run.")
		.argument("<file>", "a file that backup wrote")
		.action(async (file: string) => {
			const { dataDir } = config();
			const { restore } = await import("../folder/backup");
			await restore(file, dataDir);
			print(`restored ${file} to ${dataDir}`);
		});

const checkCommand = ({ config, print }: CliContext): Command =>
	new Command("check").description("Check the integrity of the files and of what they say.").action(async () => {
		const { checkFolder } = await import("../folder/check");
		const findings = checkFolder(config().dataDir);
		for (const finding of findings) print(finding);
		if (findings.length > 0) throw new FolderError(`${findings.length} findings.`);
		print("sound");
	});

const openapiCommand = ({ print }: CliContext): Command =>
	new Command("openapi").description("Print the OpenAPI document.").action(async () => {
		const { openApiDocument } = await import("./openapi");
		print(JSON.stringify(await openApiDocument(), null, "\t"));
	});
