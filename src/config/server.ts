import { availableParallelism } from "node:os";
import { type Static, Type } from "@sinclair/typebox";
import { logLevels } from "../http/log-level";
import { type AddressRange, readRange } from "../kernel/addresses";
import { literals } from "../kernel/schema";
import { ConfigError, flag, numberIn, refusalOf, wholeNumber } from "./setting";

/** Each thread has connections, caches and a heap of its own. */
const httpThreadsMax = 16;

/** Settings for the server's address, threads and folder, and for its first start. */
export const serverSettings = Type.Object({
	TOLLGATE_HOST: Type.String({ minLength: 1, default: "127.0.0.1", description: "the address to listen on" }),
	TOLLGATE_PORT: {
		...wholeNumber(0, 65_535, { default: "4280", description: "the port to listen on; 0 picks a free one" }),
		expects: "a port from 0 to 65535",
	},
	TOLLGATE_METRICS_PORT: Type.Optional({
		...wholeNumber(0, 65_535, {
			description: "a port of 127.0.0.1 that serves /metrics to Prometheus; unset, nothing is measured",
		}),
		expects: "a port from 0 to 65535",
	}),
	TOLLGATE_DATA_DIR: Type.String({ minLength: 1, default: "./data", description: "the data folder" }),
	TOLLGATE_HTTP_THREADS: Type.Optional(
		wholeNumber(1, httpThreadsMax, {
			description: "how many threads answer requests; two processors less than there are, at least 1, at most 8",
		}),
	),
	TOLLGATE_LOG_LEVEL: Type.Unsafe<(typeof logLevels)[number]>({
		...literals(...logLevels),
		default: "info",
		description: "how much is logged",
		expects: `one of ${logLevels.join(", ")}`,
	}),
	TOLLGATE_SLOW_MS: wholeNumber(0, 600_000, {
		default: "1000",
		description: "requests that take longer are logged, in milliseconds; 0 logs none",
	}),
	TOLLGATE_BOOTSTRAP_API_KEY: Type.Optional(
		Type.String({
			pattern: "^server-\\S{16,200}$",
			description: "the full-access key of the first environment; made when unset",
			expects: "'server-' and at least 16 characters",
		}),
	),
	TOLLGATE_BOOTSTRAP_PUBLISHABLE_KEY: Type.Optional(
		Type.String({
			pattern: "^client-\\S{16,200}$",
			description: "its publishable key; made when unset",
			expects: "'client-' and at least 16 characters",
		}),
	),
	TOLLGATE_DEMO: Type.Optional(flag({ description: "1 fills an empty data folder with the demo" })),
	TOLLGATE_UPGRADE_COPY: flag({
		default: "1",
		description: "1 copies a folder of an older version before it is upgraded; 0 does not",
	}),
	TOLLGATE_TRUSTED_PROXIES: Type.Optional(
		Type.String({
			maxLength: 4096,
			description: "proxies whose X-Forwarded-For and X-Forwarded-Proto count: addresses or networks, comma-separated",
			expects: "addresses or networks, comma-separated, such as 10.0.0.0/8,::1",
		}),
	),
});

const wrong = refusalOf(serverSettings);

export interface ServerConfig {
	readonly host: string;
	/** 0 picks a free one. */
	readonly port: number;
	/** Undefined serves no metrics; 0 picks a free port. */
	readonly metricsPort: number | undefined;
	readonly dataDir: string;
	/** The number of threads that answer requests. */
	readonly httpThreads: number;
	readonly logLevel: (typeof logLevels)[number];
	/** Requests that take longer, in milliseconds, are logged; 0 logs none. */
	readonly slowMs: number;
	readonly bootstrapApiKey: string | undefined;
	readonly bootstrapPublishableKey: string | undefined;
	/** Seeds the demo catalogue on an empty database. */
	readonly demo: boolean;
	/** Copies a folder of an older version before it is upgraded. */
	readonly upgradeCopy: boolean;
	readonly trustedProxies: readonly AddressRange[];
}

export const readServer = (given: Static<typeof serverSettings>): ServerConfig => ({
	host: given.TOLLGATE_HOST,
	port: Number(given.TOLLGATE_PORT),
	metricsPort: readMetricsPort(given),
	dataDir: given.TOLLGATE_DATA_DIR,
	httpThreads: Number(given.TOLLGATE_HTTP_THREADS ?? httpThreadsDefault()),
	logLevel: given.TOLLGATE_LOG_LEVEL,
	slowMs: Number(given.TOLLGATE_SLOW_MS),
	bootstrapApiKey: given.TOLLGATE_BOOTSTRAP_API_KEY,
	bootstrapPublishableKey: given.TOLLGATE_BOOTSTRAP_PUBLISHABLE_KEY,
	demo: given.TOLLGATE_DEMO === "1",
	upgradeCopy: given.TOLLGATE_UPGRADE_COPY === "1",
	trustedProxies: readProxies(given.TOLLGATE_TRUSTED_PROXIES),
});

function readMetricsPort({ TOLLGATE_PORT, TOLLGATE_METRICS_PORT }: Static<typeof serverSettings>): number | undefined {
	const port = numberIn(TOLLGATE_METRICS_PORT);
	if (port !== undefined && port !== 0 && port === Number(TOLLGATE_PORT))
		throw new ConfigError("TOLLGATE_METRICS_PORT must differ from TOLLGATE_PORT.");
	return port;
}

/**
 * Two processors are left for the writing threads and everything else. Only Linux distributes the connections of a port
 * to several threads.
 */
const httpThreadsDefault = (): number =>
	process.platform === "linux" ? Math.min(8, Math.max(1, availableParallelism() - 2)) : 1;

function readProxies(text = ""): AddressRange[] {
	const named = text.split(",").map((one) => one.trim());
	return named
		.filter((one) => one !== "")
		.map((one) => {
			const range = readRange(one);
			if (!range) throw wrong("TOLLGATE_TRUSTED_PROXIES");
			return range;
		});
}
