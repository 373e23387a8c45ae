import { storeErasures } from "../areas/privacy/operations.erasure-list";
import type { ListedErasure } from "../areas/privacy/rules.erasure-list";
import { Archiver } from "../areas/usage/archive/archiver";
import { oneAtATime } from "../areas/usage/archive/exclusive";
import type { ArchiveOrder, OrderDone } from "../areas/usage/archive/messages";
import { inStorage } from "../areas/usage/archive/operations.check";
import { storageOf } from "../areas/usage/archive/operations.storage";
import { Uploader } from "../areas/usage/archive/uploader";
import { ErrorDeduplicator } from "../http/error-deduplicator";
import type { Log } from "../http/log";
import { isStopping } from "./entry";
import { JobLoop } from "./job-loop";
import { Link } from "./links";

/** Our choices: how long uploading rests after a failure, twice as long after each further one. */
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
 * Moves old events to the archive, and its files to the storage where one is set, in small steps between those of its thread;
 * the log's writer is asked for each.
 */
export class ArchiveJob {
	readonly link = new Link({
		hear: (done) => this.#hear(done as OrderDone),
		lost: () => {
			while (this.#ordered.length > 0) this.#hear({ isDone: false });
		},
	});
	/** One after the other they change files of the archive. */
	readonly exclusively = oneAtATime();
	readonly #folder: string;
	readonly #log: Log;
	readonly #archiver: Archiver | undefined;
	readonly #uploader: Uploader | undefined;
	readonly #archiving: JobLoop;
	readonly #uploading: JobLoop;
	#hasBegun = false;
	/** Those who wait for an answer, in the order in which they have asked. */
	readonly #ordered: Array<(done: OrderDone) => void> = [];
	#failures = 0;
	readonly #told = new ErrorDeduplicator();
	readonly #toldUndeleted = new ErrorDeduplicator();
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
				keep: (slice) => this.order(slice),
				onTrouble: (error) => this.#tell(error),
				onUndeleted: (error) => this.#tellUndeleted(error),
			});
		this.#archiving = new JobLoop(() => this.#archive(), this.#log);
		this.#uploading = new JobLoop(() => this.#upload(), this.#log);
	}

	/** Once the thread is up; does nothing after the first time. */
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
				"old events lie in a storage that is not set: who asks for them is refused; set TOLLGATE_S3_BUCKET and what belongs to it",
			);
	}

	/** The log's writer has ended before: what was cut off is gone on with after the next start. */
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

	/** What fails waits, and is told once: the storage may be away for days. */
	async #upload(): Promise<number | undefined> {
		try {
			const againMs = await this.#uploader?.run();
			await this.#putErasures();
			if (this.#failures > 0 && this.#told.works()) this.#log.info("the storage of old events takes files again");
			this.#failures = 0;
			return againMs;
		} catch (error) {
			if (isStopping()) return undefined;
			this.#tell(error);
			this.#failures += 1;
			return Math.min(restMsMax, restMsMin * 2 ** (this.#failures - 1));
		}
	}

	/** Keeps the list of erasures in the storage too, for a restore. Where that fails, it is done with the next upload. */
	readonly storeErasures = async (): Promise<void> => {
		try {
			await this.#putErasures();
		} catch (error) {
			if (this.#told.isNew(error))
				this.#log.error({ err: error }, "the list of erasures could not be written to the storage; it is tried again");
		}
	};

	async #putErasures(): Promise<void> {
		const erasures = this.#erasures();
		const objects = storageOf(this.#folder)?.objects;
		if (objects && erasures.length > 0) await storeErasures(objects, erasures);
	}

	#tellUndeleted(error: unknown): void {
		if (this.#toldUndeleted.isNew(error))
			this.#log.error(
				{ err: error },
				"objects that an erasure has replaced could not be deleted and hold erased values: let the key delete, or delete them by hand",
			);
	}

	#tell(error: unknown): void {
		if (this.#told.isNew(error))
			this.#log.error({ err: error }, "old events stay in the data folder: they could not be moved to the storage now");
	}

	/** Asks the log's writer; resolves when it is on disk. */
	readonly order = async (order: ArchiveOrder): Promise<void> => {
		const { isDone } = await new Promise<OrderDone>((resolve) => {
			this.#ordered.push(resolve);
			if (!this.link.post(order)) this.#ordered.splice(this.#ordered.indexOf(resolve), 1)[0]?.({ isDone: false });
		});
		const what = order.kind === "erased" ? "events of who was erased" : `archive/${order.file.name}`;
		if (!isDone) throw new Error(`What the log holds of ${what} could not be written now.`);
	};

	#hear(done: OrderDone): void {
		this.#ordered.shift()?.(done);
	}
}
