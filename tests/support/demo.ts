import { cpSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { AnyElysia } from "elysia";
import { createApp } from "../../src/app";
import { Aggregator } from "../../src/areas/usage/aggregator";
import { EventLog } from "../../src/areas/usage/event-log";
import { LocalIngest } from "../../src/areas/usage/local-ingest";
import { beginFolder } from "../../src/bootstrap";
import { readConfig } from "../../src/config";
import { openFolder } from "../../src/files";
import { Disk } from "../../src/folder/disk";
import { AnswerCache } from "../../src/http/answer-cache";
import { Authenticator } from "../../src/http/authenticator";
import { Bodies } from "../../src/http/body";
import { EntityLimits } from "../../src/http/limits";
import { openLog } from "../../src/http/log";
import { Senders } from "../../src/http/senders";
import { wallClock } from "../../src/kernel/clock";
import type { Doors } from "../../src/kernel/work";
import { writesBy } from "../../src/writes";
import { testsFolder } from "./folders";
import { freshFolder } from "./world";

export const demoKey = "server-key-of-the-demo-0123456789";

let template: string | undefined;

/** A folder with demo data, as `serve --demo` makes it, its usage counted. Seeded once, then copied. */
async function demoFolder(): Promise<string> {
	if (!template) {
		template = freshFolder();
		const settings = { TOLLGATE_DATA_DIR: template, TOLLGATE_BOOTSTRAP_API_KEY: demoKey, TOLLGATE_DEMO: "1" };
		const { db } = await beginFolder(readConfig(settings));
		db.$client.close();
		const aggregator = new Aggregator({ folder: template, clock: wallClock });
		aggregator.run();
		aggregator.close();
	}
	const folder = mkdtempSync(join(testsFolder, "demo-"));
	cpSync(template, folder, { recursive: true });
	return folder;
}

export interface Demo {
	readonly app: AnyElysia;
	readonly doors: Doors;
	close(): void;
}

/** The application over demo data of its own, on the wall clock, without threads. */
export async function openDemo(): Promise<Demo> {
	const folder = await demoFolder();
	const { db, doors } = openFolder(folder);
	const log = new EventLog({
		folder,
		onTrouble: (error) => {
			throw error;
		},
	});
	const authenticator = new Authenticator({ doors, folderSecret: "a secret of the folder" });
	const silent = openLog("silent");
	const app = createApp({
		doors,
		write: writesBy(doors),
		authenticator,
		answers: new AnswerCache({ doors, authenticator, log: silent }),
		limits: new EntityLimits(),
		bodies: new Bodies(),
		senders: new Senders([]),
		disk: new Disk({ folder }),
		events: new LocalIngest(log, () => {}),
		log: silent,
		stopping: new AbortController().signal,
		notReady: () => [],
	});
	await app.modules;
	return {
		app,
		doors,
		close: () => {
			log.close();
			db.$client.close();
		},
	};
}
