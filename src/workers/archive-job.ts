import { Archiver } from "../areas/usage/archive/archiver";
import type { ArchiveSlice, SliceMoved } from "../areas/usage/archive/messages";
import type { Log } from "../http/log";
import { isStopping } from "./entry";
import { JobLoop } from "./job-loop";
import { Link } from "./links";

export interface ArchiveJobOptions {
	readonly folder: string;
	/** After how many days events are archived; undefined: never. */
	readonly keepDays: number | undefined;
	readonly log: Log;
}

/** Moves old events to the archive, in small steps between those of its thread; the log's writer is asked for each slice. */
export class ArchiveJob {
	readonly link = new Link({
		hear: (moved) => this.#hear(moved as SliceMoved),
		lost: () => this.#hear({ isMoved: false }),
	});
	readonly #archiver: Archiver | undefined;
	readonly #loop: JobLoop;
	#hasBegun = false;
	#moving: ((moved: SliceMoved) => void) | undefined;

	constructor({ folder, keepDays, log }: ArchiveJobOptions) {
		if (keepDays !== undefined)
			this.#archiver = new Archiver({ folder, keepDays, isStopping, move: (slice) => this.#move(slice) });
		this.#loop = new JobLoop(() => this.#run(), log.child({ job: "archive" }));
	}

	/** Once the thread is up; does nothing after the first time. */
	begin(): void {
		if (!this.#hasBegun && this.#archiver) this.#loop.wake();
		this.#hasBegun = true;
	}

	/** The log's writer has ended before: what was cut off is gone on with after the next start. */
	async stop(): Promise<void> {
		this.link.disconnect();
		await this.#loop.stop();
		this.#archiver?.close();
	}

	async #run(): Promise<number | undefined> {
		try {
			return await this.#archiver?.run();
		} catch (error) {
			if (isStopping()) return undefined;
			throw error;
		}
	}

	async #move(slice: ArchiveSlice): Promise<void> {
		const { isMoved } = await new Promise<SliceMoved>((resolve) => {
			this.#moving = resolve;
			if (!this.link.post(slice)) resolve({ isMoved: false });
		});
		if (!isMoved) throw new Error(`Blocks of archive/${slice.file.name} could not leave the log now.`);
	}

	#hear(moved: SliceMoved): void {
		this.#moving?.(moved);
		this.#moving = undefined;
	}
}
