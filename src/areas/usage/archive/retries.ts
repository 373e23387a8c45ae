import { FileNotHere, FileOutOfReach, FileUnreadable } from "../../../kernel/storage/failures";

/** The pause before work is retried, which doubles each time, up to the maximum. */
const firstPauseMs = 10_000;
const pauseMsMax = 600_000;

/**
 * Files that one piece of work waits for, one after the other. Work that needs more files than the cache holds would
 * never end.
 */
const arrivalsMax = 1_000;

interface Pause {
	readonly ms: number;
	readonly untilMs: number;
	/** Files that the work has waited for since it last succeeded. */
	readonly arrivals: number;
}

/** Reports about unreadable files. */
export interface RetryOptions {
	/**
	 * Called once for an unreadable file of the archive, until all files can be read again. Work that needs it is
	 * retried at growing pauses; other work continues. Without it, the error is thrown. Work that waits for a fetched
	 * file is retried on its arrival.
	 */
	readonly onUnreadable?: ((error: FileUnreadable) => void) | undefined;
	/** On the monotonic clock. Tests advance it. */
	readonly nowMs?: (() => number) | undefined;
}

/**
 * Retries work that needs old events: their file of the archive may be missing or damaged. Each piece of work has a
 * name. Work that fails changes nothing, pauses, and delays no other work.
 */
export class Retries {
	readonly #onUnreadable: RetryOptions["onUnreadable"];
	readonly #nowMs: () => number;
	readonly #pauses = new Map<string, Pause>();
	/** The reported causes. */
	readonly #reported = new Set<string>();

	constructor({ onUnreadable, nowMs = () => performance.now() }: RetryOptions) {
		this.#onUnreadable = onUnreadable;
		this.#nowMs = nowMs;
	}

	/** Runs the work and returns its result; undefined if it cannot be done now. */
	attempt<T>(what: string, body: () => T): T | undefined {
		if (this.isResting(what)) return undefined;
		try {
			const done = body();
			this.discard(what);
			return done;
		} catch (error) {
			if (!this.#onUnreadable || !(error instanceof FileUnreadable)) throw error;
			if (error instanceof FileNotHere) this.#await(what, error);
			else this.#rest(what, error);
			return undefined;
		}
	}

	/** Whether the work pauses. */
	isResting(what: string): boolean {
		const pause = this.#pauses.get(what);
		return pause !== undefined && this.#nowMs() < pause.untilMs;
	}

	/** Whether any work is to be retried now. */
	get isDue(): boolean {
		if (this.#pauses.size === 0) return false;
		const nowMs = this.#nowMs();
		return this.#pauses.values().some(({ untilMs }) => untilMs <= nowMs);
	}

	/** Whether any work waits for a file that is being fetched. */
	get isAwaitingFile(): boolean {
		return this.#pauses.values().some(({ untilMs }) => untilMs === Number.POSITIVE_INFINITY);
	}

	/** Ends the pauses of work that is done or no longer needed. */
	discard(what: string): void {
		this.#pauses.delete(what);
		if (this.#pauses.size === 0) this.#reported.clear();
	}

	/** Ends all pauses after a rollback. */
	discardAll(): void {
		this.#pauses.clear();
	}

	/** Pauses the work until its file arrives. */
	#await(what: string, { arrival }: FileNotHere): void {
		const { ms = 0, arrivals = 0 } = this.#pauses.get(what) ?? {};
		if (arrivals === arrivalsMax) {
			this.#rest(what, tooMuch(what));
			return;
		}
		const waiting = { ms, untilMs: Number.POSITIVE_INFINITY, arrivals: arrivals + 1 };
		this.#pauses.set(what, waiting);
		const over = (proceed: () => void) => () => {
			if (this.#pauses.get(what) === waiting) proceed();
		};
		arrival.then(
			over(() => this.#pauses.set(what, { ...waiting, untilMs: Number.NEGATIVE_INFINITY })),
			(error) => over(() => this.#rest(what, error))(),
		);
	}

	#rest(what: string, error: FileUnreadable): void {
		const before = this.#pauses.get(what)?.ms ?? 0;
		// An unreachable storage has growing pauses of its own.
		const isAsked = before === 0 || error instanceof FileOutOfReach;
		const ms = isAsked ? firstPauseMs : Math.min(pauseMsMax, before * 2);
		this.#pauses.set(what, { ms, untilMs: this.#nowMs() + ms, arrivals: 0 });
		this.#tell(error);
	}

	#tell(error: FileUnreadable): void {
		const said = String(error.cause);
		if (this.#reported.has(said)) return;
		this.#reported.add(said);
		this.#onUnreadable?.(error);
	}
}

const tooMuch = (what: string): FileUnreadable =>
	new FileUnreadable("Old events cannot be counted again.", {
		cause: new Error(`${what}: more old events are needed at once than there is room for; raise TOLLGATE_S3_CACHE_MIB`),
	});
