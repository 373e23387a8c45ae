import { writeSync } from "node:fs";
import type { LogFn, Logger } from "pino";
import { toIso, wallClock } from "../kernel/clock";
import { isStorageTrouble } from "../kernel/storage/failures";
import { type LogLevel, type lineLevels, SharedLogLevel } from "./log-level";
import { HttpRefusal } from "./refusal";
import { RepeatedFaults } from "./repeated-faults";

/** The part of pino's log that Tollgate uses. */
export interface Log extends Record<(typeof lineLevels)[number], LogFn> {
	isLevelEnabled(level: LogLevel): boolean;
	child(fields: object): Log;
}

/**
 * Writes one JSON object a line to standard output. A repeated fault is logged once and then counted (`repeats`). The
 * usual fields of secrets are masked as a precaution. A shared level may change at any time.
 */
export const openLog = (
	level: LogLevel | SharedLogLevel,
	write: WriteLine = toStandardOutput,
	faults = new RepeatedFaults(),
): Log => atFirstLine(typeof level === "string" ? new SharedLogLevel(level) : level, () => pinoLog(write, faults));

/** Makes the log at its first line: loading pino takes 5 ms of the start of each thread, and few threads log anything. */
function atFirstLine(level: SharedLogLevel, make: () => Logger): Log {
	let made: Logger | undefined;
	const log = (): Logger => {
		made ??= make();
		return made;
	};
	const isLevelEnabled = (asked: LogLevel): boolean => level.includes(asked);
	const at =
		(asked: (typeof lineLevels)[number]): LogFn =>
		(...line: Parameters<LogFn>) => {
			if (isLevelEnabled(asked)) log()[asked](...line);
		};
	return {
		...{
			trace: at("trace"),
			debug: at("debug"),
			info: at("info"),
			warn: at("warn"),
			error: at("error"),
			fatal: at("fatal"),
		},
		isLevelEnabled,
		child: (fields) => atFirstLine(level, () => log().child(fields)),
	};
}

function pinoLog(write: WriteLine, faults: RepeatedFaults): Logger {
	// Not an import, which would load it with this module.
	const { pino }: typeof import("pino") = require("pino");
	return pino(
		{
			// `atFirstLine` decides, since the level may change.
			level: "trace",
			base: null,
			hooks: {
				logMethod(line, method) {
					const fault = faultOf(line);
					const report = (repeats: number) => {
						const [fields, ...message] = line;
						method.apply(this, [Object.assign({}, fields, { repeats }), ...message]);
					};
					if (fault === undefined || faults.isNew(fault, report)) method.apply(this, line);
				},
			},
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
}

/** Returns the fault of a line if it can repeat with every request: storage or capacity. */
function faultOf([fields, message]: readonly [unknown, unknown?, ...unknown[]]): string | undefined {
	const error = typeof fields === "object" && fields !== null && "err" in fields ? fields.err : undefined;
	if (!isStorageTrouble(error) && !(error instanceof HttpRefusal)) return undefined;
	return `${message} ${error} ${error.cause}`;
}

/** Writes the whole line, or throws. */
export type WriteLine = (line: string) => void;

function toStandardOutput(line: string): void {
	let rest: Uint8Array = Buffer.from(line);
	while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
}

/**
 * The server does not depend on its log. If the disk is full or the reader is slow, lines are lost and no request
 * waits. Later the log reports the number of lost lines.
 */
class Lines {
	readonly #write: WriteLine;
	#lost = 0;

	constructor(write: WriteLine) {
		this.#write = write;
	}

	write(line: string): void {
		try {
			// The last line may be incomplete, so the next one starts on a new line.
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
