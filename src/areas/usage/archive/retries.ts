import { FileNotHere, FileOutOfReach, FileUnreadable } from "../../../kernel/storage/failures";

/** Our choices: after what pause is tried again what could not be read, and how long the pause becomes, twice as long each time. */
const firstPauseMs = 10_000;
const pauseMsMax = 600_000;

/** Our choice: files that are waited for one after the other; who needs more at once than there is room for would never end. */
const arrivalsMax = 1_000;

interface Pause {
	readonly ms: number;
	readonly untilMs: number;
	/** How many files have been waited for since it was last done. */
	readonly arrivals: number;
}

/** What the aggregator is told with. */
export interface RetryOptions {
	/**
	 * A file of the archive cannot be read, told once until all can be read again: what needs it is tried again at growing pauses,
	 * all else goes on. Thrown when left out. What is being fetched from the storage is tried again when it is here.
	 */
	readonly onUnreadable?: ((error: FileUnreadable) => void) | undefined;
	/** On the monotonic clock. Tests move it. */
	readonly nowMs?: (() => number) | undefined;
}

/**
 * What needs old events, whose file of the archive may be missing or damaged, by names of its own: where it cannot be done
 * now, it changes nothing, waits for a while, and nothing else waits for it.
 */
export class Retries {
	readonly #onUnreadable: RetryOptions["onUnreadable"];
	readonly #nowMs: () => number;
	readonly #pauses = new Map<string, Pause>();
	/** What was said of the files. */
	readonly #told = new Set<string>();

	constructor({ onUnreadable, nowMs = () => performance.now() }: RetryOptions) {
		this.#onUnreadable = onUnreadable;
		this.#nowMs = nowMs;
	}

	/** Does it, and answers as it does; undefined where it cannot be done now. */
	attempt<T>(what: string, body: () => T): T | undefined {
		if (this.isResting(what)) return undefined;
		try {
			const done = body();
			this.forget(what);
			return done;
		} catch (error) {
			if (!this.#onUnreadable || !(error instanceof FileUnreadable)) throw error;
			if (error instanceof FileNotHere) this.#await(what, error);
			else this.#rest(what, error);
			return undefined;
		}
	}

	/** Whether it is not to be tried yet. */
	isResting(what: string): boolean {
		const pause = this.#pauses.get(what);
		return pause !== undefined && this.#nowMs() < pause.untilMs;
	}

	/** Whether anything is to be tried again. */
	get isDue(): boolean {
		if (this.#pauses.size === 0) return false;
		const nowMs = this.#nowMs();
		return this.#pauses.values().some(({ untilMs }) => untilMs <= nowMs);
	}

	/** It is done, or need not be done any more. */
	forget(what: string): void {
		this.#pauses.delete(what);
		if (this.#pauses.size === 0) this.#told.clear();
	}

	/** After a rollback: all of it is tried anew. */
	forgetAll(): void {
		this.#pauses.clear();
	}

	/** Until it is here, and no longer. */
	#await(what: string, { arrival }: FileNotHere): void {
		const { ms = 0, arrivals = 0 } = this.#pauses.get(what) ?? {};
		if (arrivals === arrivalsMax) {
			this.#rest(what, tooMuch(what));
			return;
		}
		const waiting = { ms, untilMs: Number.POSITIVE_INFINITY, arrivals: arrivals + 1 };
		this.#pauses.set(what, waiting);
		const over = (goOn: () => void) => () => {
			if (this.#pauses.get(what) === waiting) goOn();
		};
		arrival.then(
			over(() => this.#pauses.set(what, { ...waiting, untilMs: Number.NEGATIVE_INFINITY })),
			(error) => over(() => this.#rest(what, error))(),
		);
	}

	#rest(what: string, error: FileUnreadable): void {
		const before = this.#pauses.get(what)?.ms ?? 0;
		// A storage that is away is asked at pauses of its own.
		const isAsked = before === 0 || error instanceof FileOutOfReach;
		const ms = isAsked ? firstPauseMs : Math.min(pauseMsMax, before * 2);
		this.#pauses.set(what, { ms, untilMs: this.#nowMs() + ms, arrivals: 0 });
		this.#tell(error);
	}

	#tell(error: FileUnreadable): void {
		const said = String(error.cause);
		if (this.#told.has(said)) return;
		this.#told.add(said);
		this.#onUnreadable?.(error);
	}
}

const tooMuch = (what: string): FileUnreadable =>
	new FileUnreadable("Old events cannot be counted again.", {
		cause: new Error(`${what}: more old events are needed at once than there is room for; raise TOLLGATE_S3_CACHE_MIB`),
	});
