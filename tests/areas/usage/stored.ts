import { expect, onTestFinished } from "bun:test";
import type { ArchiveOrder } from "../../../src/areas/usage/archive/messages";
import { ObjectStorage } from "../../../src/areas/usage/archive/object-storage";
import { useStorage } from "../../../src/areas/usage/archive/operations.storage";
import type { StorageSettings } from "../../../src/areas/usage/archive/rules.storage";
import { Uploader } from "../../../src/areas/usage/archive/uploader";
import type { EventLog } from "../../../src/areas/usage/log/event-log";
import { type Clock, wallClock } from "../../../src/kernel/clock";
import { type ObjectServer, objectServer } from "../../support/object-server";
import { archive, files, tenDays } from "./archived";
import type { ground } from "./ground";

type Site = ReturnType<typeof ground>;

/** Starts a storage for one test. */
export function serve(): ObjectServer {
	const server = objectServer();
	onTestFinished(() => server.stop());
	return server;
}

export const settingsOf = (server: ObjectServer, more: Partial<StorageSettings> = {}): StorageSettings => ({
	...{ bucket: server.bucket, endpoint: server.endpoint, region: "eu-central-1", prefix: "tollgate/" },
	...server.credentials,
	cacheBytesMax: 64 * 1024 * 1024,
	...more,
});

export class Killed extends Error {}

interface Upload {
	readonly settings: StorageSettings;
	/** The kill comes before the order of this number. */
	readonly killedAt?: number;
	readonly onTrouble?: (error: unknown) => void;
	readonly onUndeleted?: (error: unknown) => void;
	/** The machine's clock. */
	readonly clock?: Clock;
	/** For a storage that does not answer. Another one may take its time on a busy machine. */
	readonly patienceMs?: number;
}

/** Moves the files of the archive to the storage. */
export async function upload(
	{ folder, jobs }: { readonly folder: string; readonly jobs: { readonly log: Pick<EventLog, "archive"> } },
	{ settings, killedAt = -1, onTrouble = () => {}, onUndeleted = () => {}, clock = wallClock, ...patience }: Upload,
): Promise<void> {
	let orders = 0;
	const uploader = new Uploader({
		...{ folder, onTrouble, onUndeleted, clock, isStopping: () => false },
		storage: new ObjectStorage(settings, { pauseMsMin: 1, ...patience }),
		order: async (order: ArchiveOrder) => {
			if (orders === killedAt) throw new Killed();
			orders += 1;
			expect(jobs.log.archive(order)).toBe(true);
		},
	});
	try {
		await uploader.run();
	} finally {
		uploader.close();
	}
}

/** Returns the files of the archive's folder, without its list. */
export const filesHere = (site: { readonly folder: string }): string[] =>
	files(site).filter((name) => name.endsWith(".zst"));

/** Returns the number of files that the log records as stored. */
export const stored = ({ file }: Site): number =>
	file.query<{ rows: number }, []>("SELECT count(*) AS rows FROM event_archives WHERE stored_in IS NOT NULL").get()
		?.rows ?? 0;

interface Moved {
	readonly retry?: Parameters<typeof tenDays>[0];
	readonly options?: Parameters<typeof tenDays>[1];
	readonly settings?: Partial<StorageSettings>;
	/** Called before the archiving. */
	readonly before?: (site: Site) => void;
}

/** Ten days of events, of which five have moved to the storage, which is in use. */
export async function moved({ retry, options, settings: more, before = () => {} }: Moved = {}) {
	const server = serve();
	const settings = settingsOf(server, more);
	const { site, acme } = tenDays(retry, options);
	before(site);
	await archive(site, 5);
	await upload(site, { settings });
	expect([stored(site), filesHere(site)]).toEqual([5, []]);
	useStorage(site.folder, settings);
	site.crash();
	return { site, acme, server, settings };
}
