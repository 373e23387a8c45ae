import { makeSecret } from "../../src/folder/secret";
import { apiSettingsDefault } from "../../src/http/api-settings";
import { newWindowMemory } from "../../src/http/limits/shared-window";
import { SharedLogLevel } from "../../src/http/log-level";
import { Epochs } from "../../src/kernel/storage/epochs";
import { Heartbeats } from "../../src/workers/heartbeat";
import type { WorkerSettings } from "../../src/workers/messages";

/** The settings with which a test starts a thread. The folder gets a secret, which a start would have made. */
export const threadSettings = (folder: string): WorkerSettings => {
	makeSecret(folder);
	return settingsOf(folder);
};

const settingsOf = (folder: string): WorkerSettings => ({
	folder,
	logLevel: new SharedLogLevel("silent").memory,
	eventsKeepDays: undefined,
	eventsKnownDays: undefined,
	backupsKeptMs: 0,
	webhooksKeepDays: 30,
	auditKeepDays: undefined,
	eventsKnownBytesMax: 32 * 1024 * 1024,
	storage: undefined,
	backups: undefined,
	pdfLifetimeMs: 1,
	pdfBytesMax: 1,
	epochs: new Epochs().memory,
	heartbeats: new Heartbeats().memory,
	heartbeat: 1,
	http: {
		host: "127.0.0.1",
		trustedProxies: [],
		edgeCalls: newWindowMemory(),
		bodyBytesMax: 1024 * 1024,
		threads: 1,
		slowMs: 0,
	},
	api: apiSettingsDefault,
	metricsPort: undefined,
});
