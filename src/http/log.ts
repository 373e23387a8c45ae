import pino, { type Logger } from "pino";

export type Log = Logger;

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** One JSON object a line, on standard output. Secrets never get here; if one did, its usual names are blanked. */
export const openLog = (level: LogLevel): Log =>
	pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			redact: {
				paths: [
					"password",
					"token",
					"secret",
					"apiKey",
					"headers",
					"*.password",
					"*.token",
					"*.secret",
					"*.apiKey",
					"*.headers",
				],
				censor: "[redacted]",
			},
		},
		pino.destination({ dest: 1, sync: true }),
	);
