import { storeErasures } from "../../areas/privacy/operations.erasure-list";
import type { ListedErasure } from "../../areas/privacy/rules.erasure-list";
import { Archiver } from "../../areas/usage/archive/archiver";
import { oneAtATime } from "../../areas/usage/archive/exclusive";
import type { ArchiveOrder, OrderDone } from "../../areas/usage/archive/messages";
import { inStorage } from "../../areas/usage/archive/operations.check";
import { storageOf } from "../../areas/usage/archive/operations.storage";
import { Uploader } from "../../areas/usage/archive/uploader";
import type { Log } from "../../http/log";
import { isStopping } from "../entry";
import { ErrorDeduplicator } from "../error-deduplicator";
import { JobLoop } from "../job-loop";
import { Link } from "../links";

/** The pause after a failed upload. It doubles with each further failure. */
const restMsMin = 1_000;
const restMsMax = 300_000;

export interface ArchiveJobOptions {
	readonly folder: string;
	/** After how many days events are archived; undefined: never. */
	readonly keepDays: number | undefined;
	readonly log: Log;
	/** The erasures that the main file holds. */
	readonly erasures: () => readonly ListedErasure[];
}

/**
 * Moves old events to the archive, and files of the archive to the S3 storage if one is set. It works in small steps between those of
 * its thread, and the ingester writes each change of the log.
 */
export class ArchiveJob {
	readonly link = new Link({
		hear: (done) => this.#hear(done as OrderDone),
		lost: () => {
			while (this.#ordered.length > 0) this.#hear({ isDone: false });
		},
	});
	/** Runs one change of the archive's files at a time. */
	readonly exclusively = oneAtATime();
	readonly #folder: string;
	readonly #log: Log;
	readonly #archiver: Archiver | undefined;
	readonly #uploader: Uploader | undefined;
	readonly #archiving: JobLoop;
	readonly #uploading: JobLoop;
	#hasBegun = false;
	/** The orders that wait for an answer of the ingester, oldest first. */
	readonly #ordered: Array<(done: OrderDone) => void> = [];
	#failures = 0;
	readonly #errors = new ErrorDeduplicator();
	readonly #undeletedErrors = new ErrorDeduplicator();
	readonly #erasures: ArchiveJobOptions["erasures"];

	constructor({ folder, keepDays, log, erasures }: ArchiveJobOptions) {
		this.#folder = folder;
		this.#erasures = erasures;
		this.#log = log.child({ job: "archive" });
		const storage = storageOf(folder)?.objects;
		const { exclusively } = this;
		if (keepDays !== undefined)
			this.#archiver = new Archiver({ folder, keepDays, isStopping, exclusively, move: (slice) => this.order(slice) });
		if (storage)
			this.#uploader = new Uploader({
				...{ folder, storage, isStopping, exclusively },
				order: (slice) => this.order(slice),
				onTrouble: (error) => this.#report(error),
				onUndeleted: (error) => this.#reportUndeleted(error),
			});
		this.#archiving = new JobLoop(() => this.#archive(), this.#log);
		this.#uploading = new JobLoop(() => this.#upload(), this.#log);
	}

	/** Starts the job when the thread is up. Further calls do nothing. */
	begin(): void {
		if (this.#hasBegun) return;
		this.#hasBegun = true;
		if (!this.#uploader) this.#warnOfStored();
		if (this.#archiver) this.#archiving.wake();
		if (this.#uploader) this.#uploading.wake();
	}

	#warnOfStored(): void {
		for (const stored of inStorage(this.#folder))
			this.#log.warn(
				stored,
				"old events are in an S3 storage that is not configured, so requests for them fail; set TOLLGATE_S3_BUCKET and the settings that belong to it",
			);
	}

	/** Called after the ingester has ended. The next start continues an interrupted step. */
	async stop(): Promise<void> {
		this.link.disconnect();
		this.#uploader?.stop();
		await Promise.all([this.#archiving.stop(), this.#uploading.stop()]);
		this.#archiver?.close();
		this.#uploader?.close();
	}

	async #archive(): Promise<number | undefined> {
		try {
			const againMs = await this.#archiver?.run();
			if (this.#uploader) this.#uploading.wake();
			return againMs;
		} catch (error) {
			if (isStopping()) return undefined;
			throw error;
		}
	}

	/** Tries a failed upload again later, and logs the failure once: the storage may be down for days. */
	async #upload(): Promise<number | undefined> {
		try {
			const againMs = await this.#uploader?.run();
			await this.#putErasures();
			if (this.#failures > 0 && this.#errors.recordSuccess())
				this.#log.info("the storage of old events takes files again");
			this.#failures = 0;
			return againMs;
		} catch (error) {
			if (isStopping()) return undefined;
			this.#report(error);
			this.#failures += 1;
			return Math.min(restMsMax, restMsMin * 2 ** (this.#failures - 1));
		}
	}

	/** Writes the list of erasures to the storage too, for a restore. The next upload repeats it if it fails. */
	readonly storeErasures = async (): Promise<void> => {
		try {
			await this.#putErasures();
		} catch (error) {
			if (this.#errors.isNew(error))
				this.#log.error({ err: error }, "the list of erasures could not be written to the storage; it is tried again");
		}
	};

	async #putErasures(): Promise<void> {
		const erasures = this.#erasures();
		const objects = storageOf(this.#folder)?.objects;
		if (objects && erasures.length > 0) await storeErasures(objects, erasures);
	}

	#reportUndeleted(error: unknown): void {
		if (this.#undeletedErrors.isNew(error))
			this.#log.error(
				{ err: error },
				"objects that an erasure has replaced could not be deleted and still hold erased values: give the access key the right to delete, or delete them by hand",
			);
	}

	#report(error: unknown): void {
		if (this.#errors.isNew(error))
			this.#log.error({ err: error }, "old events stay in the data folder: they cannot be moved to the storage now");
	}

	/** Sends an order to the ingester. Resolves when its change is on disk. */
	readonly order = async (order: ArchiveOrder): Promise<void> => {
		const { isDone } = await new Promise<OrderDone>((resolve) => {
			this.#ordered.push(resolve);
			if (!this.link.post(order)) this.#ordered.splice(this.#ordered.indexOf(resolve), 1)[0]?.({ isDone: false });
		});
		const subject = order.kind === "erased" ? "erased events" : `archive/${order.file.name}`;
		if (!isDone) throw new Error(`The log could not record ${subject} now.`);
	};

	#hear(done: OrderDone): void {
		this.#ordered.shift()?.(done);
	}
}
