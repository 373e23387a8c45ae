import { writeSync } from "node:fs";
import pino, { type Logger } from "pino";
import { toIso, wallClock } from "../kernel/clock";

export type Log = Logger;

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** One JSON object a line, on standard output. Secrets never get here; if one did, its usual names are blanked. */
export const openLog = (level: LogLevel, write: WriteLine = toStandardOutput): Log =>
	pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (word) => ({ level: word }) },
			redact: {
				paths: [
					"password",
					"token",
					"secret",
					"secretAccessKey",
					"apiKey",
					"headers",
					"*.password",
					"*.token",
					"*.secret",
					"*.secretAccessKey",
					"*.apiKey",
					"*.headers",
				],
				censor: "[redacted]",
			},
		},
		new Lines(write),
	);

/** Writes the whole line, or throws. */
export type WriteLine = (line: string) => void;

function toStandardOutput(line: string): void {
	let rest: Uint8Array = Buffer.from(line);
	while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
}

/**
 * Nothing that the server does depends on its log: on a full disk, or where nobody reads any more, lines are lost rather
 * than a request, and nobody waits for a slow reader. Once there is room again, the log says how many were lost.
 */
class Lines {
	readonly #write: WriteLine;
	#lost = 0;

	constructor(write: WriteLine) {
		this.#write = write;
	}

	write(line: string): void {
		try {
			// A line may have been cut in its middle: what comes next begins anew.
			if (this.#lost > 0)
				this.#write(
					`\n${JSON.stringify({ level: "warn", time: toIso(wallClock.now()), lost: this.#lost, msg: "log lines were lost: they could not be written" })}\n`,
				);
			this.#lost = 0;
			this.#write(line);
		} catch {
			this.#lost += 1;
		}
	}
}
