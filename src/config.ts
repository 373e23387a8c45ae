import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { logLevels } from "./http/log";
import { type AddressRange, readRange } from "./http/senders";
import { literals } from "./kernel/schema";

/** The environment variables, as text. Source: choices.md, "Running it"; the last three are ours. */
const Variables = Type.Object({
	TOLLGATE_HOST: Type.String({ minLength: 1, default: "127.0.0.1" }),
	TOLLGATE_PORT: Type.String({ pattern: "^\\d{1,5}$", default: "4280" }),
	TOLLGATE_DATA_DIR: Type.String({ minLength: 1, default: "./data" }),
	TOLLGATE_LOG_LEVEL: Type.Unsafe<(typeof logLevels)[number]>({ ...literals(...logLevels), default: "info" }),
	TOLLGATE_BOOTSTRAP_API_KEY: Type.Optional(Type.String({ pattern: "^server-\\S{16,200}$" })),
	TOLLGATE_BOOTSTRAP_PUBLISHABLE_KEY: Type.Optional(Type.String({ pattern: "^client-\\S{16,200}$" })),
	TOLLGATE_DEMO: Type.Optional(Type.String({ pattern: "^[01]?$" })),
	/** Whose `X-Forwarded-For` and `X-Forwarded-Proto` count. */
	TOLLGATE_TRUSTED_PROXIES: Type.Optional(Type.String({ maxLength: 4096 })),
	/** How long a finished PDF is kept, in hours. */
	TOLLGATE_PDF_HOURS: Type.String({ pattern: "^[1-9]\\d{0,3}$", default: "24" }),
	/** How much room finished PDFs may take, in MiB. */
	TOLLGATE_PDF_MIB: Type.String({ pattern: "^[1-9]\\d{0,5}$", default: "256" }),
});

export interface Config {
	readonly host: string;
	/** 0 picks a free one. */
	readonly port: number;
	readonly dataDir: string;
	readonly logLevel: (typeof logLevels)[number];
	readonly bootstrapApiKey: string | undefined;
	readonly bootstrapPublishableKey: string | undefined;
	/** Seeds the demo catalogue on an empty database. */
	readonly demo: boolean;
	readonly trustedProxies: readonly AddressRange[];
	readonly pdfLifetimeMs: number;
	readonly pdfBytesMax: number;
}

/** What a wrong variable ends with: its name and what it must be, never its value, which may be a secret. */
export class ConfigError extends Error {}

const expectations: Readonly<Record<string, string>> = {
	TOLLGATE_PORT: "a port from 0 to 65535",
	TOLLGATE_LOG_LEVEL: `one of ${logLevels.join(", ")}`,
	TOLLGATE_BOOTSTRAP_API_KEY: "'server-' and at least 16 characters",
	TOLLGATE_BOOTSTRAP_PUBLISHABLE_KEY: "'client-' and at least 16 characters",
	TOLLGATE_DEMO: "1 or 0",
	TOLLGATE_TRUSTED_PROXIES: "addresses or networks, comma-separated, such as 10.0.0.0/8,::1",
	TOLLGATE_PDF_HOURS: "a number of hours from 1 to 9999",
	TOLLGATE_PDF_MIB: "a number of MiB from 1 to 999999",
};

export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
	const given = Object.fromEntries(
		Object.keys(Variables.properties).map((name) => [name, environment[name] || undefined]),
	);
	const variables: unknown = Value.Default(Variables, Value.Clean(Variables, given));
	const wrong = [...Value.Errors(Variables, variables)].find(({ value }) => value !== undefined);
	if (wrong) throw new ConfigError(expected(wrong.path.slice(1)));
	const read = variables as Static<typeof Variables>;
	const port = Number(read.TOLLGATE_PORT);
	if (port > 65_535) throw new ConfigError(expected("TOLLGATE_PORT"));
	return {
		host: read.TOLLGATE_HOST,
		port,
		dataDir: read.TOLLGATE_DATA_DIR,
		logLevel: read.TOLLGATE_LOG_LEVEL,
		bootstrapApiKey: read.TOLLGATE_BOOTSTRAP_API_KEY,
		bootstrapPublishableKey: read.TOLLGATE_BOOTSTRAP_PUBLISHABLE_KEY,
		demo: read.TOLLGATE_DEMO === "1",
		trustedProxies: readProxies(read.TOLLGATE_TRUSTED_PROXIES),
		pdfLifetimeMs: Number(read.TOLLGATE_PDF_HOURS) * 60 * 60 * 1000,
		pdfBytesMax: Number(read.TOLLGATE_PDF_MIB) * 1024 * 1024,
	};
}

function readProxies(text = ""): AddressRange[] {
	const named = text.split(",").map((one) => one.trim());
	return named
		.filter((one) => one !== "")
		.map((one) => {
			const range = readRange(one);
			if (!range) throw new ConfigError(expected("TOLLGATE_TRUSTED_PROXIES"));
			return range;
		});
}

const expected = (name: string): string => `${name} must be ${expectations[name] ?? "set"}.`;
