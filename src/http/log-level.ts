export const lineLevels = ["trace", "debug", "info", "warn", "error", "fatal"] as const;
export const logLevels = [...lineLevels, "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

const rankOf = Object.fromEntries(logLevels.map((level, rank) => [level, rank])) as Readonly<Record<LogLevel, number>>;

/** The level of the log of all threads, in shared memory: a change has its effect at the next line of each thread. */
export class SharedLogLevel {
	readonly memory: SharedArrayBuffer;
	readonly #rank: Int32Array;

	/** Begins with a level, or shares the memory of another thread's. */
	constructor(from: LogLevel | SharedArrayBuffer) {
		this.memory = typeof from === "string" ? new SharedArrayBuffer(4) : from;
		this.#rank = new Int32Array(this.memory);
		if (typeof from === "string") this.set(from);
	}

	get(): LogLevel {
		return logLevels[this.#rank[0] ?? 0] ?? "info";
	}

	set(level: LogLevel): void {
		this.#rank[0] = rankOf[level];
	}

	/** Whether the log has the lines of a level. Each request asks. */
	includes(level: LogLevel): boolean {
		return rankOf[level] >= (this.#rank[0] ?? 0);
	}
}
