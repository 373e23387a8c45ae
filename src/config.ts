import { readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { StorageSettings } from "./areas/usage/archive/rules.storage";
import { type ApiSettings, apiSettingsDefault } from "./http/api-settings";
import { hashText } from "./http/hash";
import { logLevels } from "./http/log";
import { type AddressRange, readRange } from "./kernel/addresses";
import { literals } from "./kernel/schema";

/** Every setting, as text, with what `serve --help` says of it. Each may also come as `NAME_FILE`: the file that holds it. */
const Variables = Type.Object({
	TOLLGATE_HOST: Type.String({ minLength: 1, default: "127.0.0.1", description: "the address to listen on" }),
	TOLLGATE_PORT: Type.String({
		pattern: "^\\d{1,5}$",
		default: "4280",
		description: "the port to listen on; 0 picks a free one",
	}),
	TOLLGATE_DATA_DIR: Type.String({ minLength: 1, default: "./data", description: "the data folder" }),
	TOLLGATE_HTTP_THREADS: Type.Optional(
		Type.String({
			pattern: "^\\d{1,2}$",
			description: "how many threads answer requests; two processors less than there are, at least 1, at most 8",
		}),
	),
	TOLLGATE_LOG_LEVEL: Type.Unsafe<(typeof logLevels)[number]>({
		...literals(...logLevels),
		default: "info",
		description: "how much is logged",
	}),
	TOLLGATE_BOOTSTRAP_API_KEY: Type.Optional(
		Type.String({
			pattern: "^server-\\S{16,200}$",
			description: "the full-access key of the first environment; made when unset",
		}),
	),
	TOLLGATE_BOOTSTRAP_PUBLISHABLE_KEY: Type.Optional(
		Type.String({ pattern: "^client-\\S{16,200}$", description: "its publishable key; made when unset" }),
	),
	TOLLGATE_DEMO: Type.Optional(
		Type.String({ pattern: "^[01]?$", description: "1 fills an empty data folder with the demo" }),
	),
	TOLLGATE_TRUSTED_PROXIES: Type.Optional(
		Type.String({
			maxLength: 4096,
			description: "proxies whose X-Forwarded-For and X-Forwarded-Proto count: addresses or networks, comma-separated",
		}),
	),
	TOLLGATE_PUBLIC_URL: Type.Optional(
		Type.String({
			maxLength: 255,
			description: "where people find the console, such as https://billing.example.com; needed behind a proxy",
		}),
	),
	TOLLGATE_SMTP_URL: Type.Optional(
		Type.String({
			pattern: "^smtps?://\\S{1,1000}$",
			description: "the mail server, such as smtps://user:password@mail.example.com; unset, no mail is sent",
		}),
	),
	TOLLGATE_MAIL_FROM: Type.Optional(
		Type.String({ pattern: "^[^\\r\\n]*@[^\\r\\n]*$", maxLength: 320, description: "the sender of mails" }),
	),
	TOLLGATE_SESSION_HOURS: Type.String({
		pattern: "^[1-9]\\d{0,3}$",
		default: "12",
		description: "how long people stay signed in",
	}),
	TOLLGATE_SESSION_IDLE_MINUTES: Type.Optional(
		Type.String({
			pattern: "^[1-9]\\d{0,4}$",
			description: "after how many minutes without a call people are signed out; unset, not before that",
		}),
	),
	TOLLGATE_EDGE_CALLS_PER_SECOND: Type.String({
		pattern: "^[1-9]\\d{0,3}$",
		default: String(apiSettingsDefault.edgeCallsPerSecondMax),
		description: "how often one address may read the edge",
	}),
	TOLLGATE_GRAPHQL_INTROSPECTION: Type.String({
		pattern: "^[01]$",
		default: "1",
		description: "0 keeps GraphQL from telling of its schema",
	}),
	TOLLGATE_GRAPHQL_OPERATIONS: Type.Optional(
		Type.String({
			minLength: 1,
			description: "a JSON file of the only operations of GraphQL that may be asked for, as a list of texts",
		}),
	),
	TOLLGATE_EVENTS_KEEP_DAYS: Type.Optional(
		Type.String({
			pattern: "^[1-9]\\d{0,4}$",
			description: "usage events that are older by whole days move to compressed files; unset, they stay in events.db",
		}),
	),
	TOLLGATE_EVENTS_KNOWN_DAYS: Type.Optional(
		Type.String({
			pattern: "^[1-9]\\d{0,4}$",
			description: "how many days a usage event is known when it is sent again; unset, for ever",
		}),
	),
	TOLLGATE_EVENTS_KNOWN_MIB: Type.String({
		pattern: "^[1-9]\\d{1,5}$",
		default: "256",
		description: "how much memory it may take to know events that are sent again, in MiB",
	}),
	TOLLGATE_S3_BUCKET: Type.Optional(
		Type.String({
			pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$",
			description: "the bucket to which files of old events move; unset, they stay in the data folder",
		}),
	),
	TOLLGATE_S3_ENDPOINT: Type.Optional(
		Type.String({
			maxLength: 255,
			description: "where its service is, such as https://s3.example.com; by the region, that of AWS when unset",
		}),
	),
	TOLLGATE_S3_REGION: Type.String({
		pattern: "^[A-Za-z0-9-]{1,64}$",
		default: "us-east-1",
		description: "its region",
	}),
	TOLLGATE_S3_PREFIX: Type.Optional(
		Type.String({
			pattern: "^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*/?$",
			maxLength: 200,
			description: "a folder within the bucket, such as tollgate/archive",
		}),
	),
	TOLLGATE_S3_ACCESS_KEY_ID: Type.Optional(
		Type.String({ pattern: "^\\S{1,255}$", description: "who may read and write there" }),
	),
	TOLLGATE_S3_SECRET_ACCESS_KEY: Type.Optional(Type.String({ pattern: "^\\S{1,255}$", description: "its secret" })),
	TOLLGATE_S3_CACHE_MIB: Type.String({
		pattern: "^[1-9]\\d{1,5}$",
		default: "256",
		description: "how much room old events may take that were fetched from there to be read",
	}),
	TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: Type.String({
		pattern: "^[01]$",
		default: "0",
		description: "1 lets webhooks, and calls to identity providers, go to private and loopback addresses",
	}),
	TOLLGATE_WEBHOOKS_KEEP_DAYS: Type.String({
		pattern: "^[1-9]\\d{0,4}$",
		default: "30",
		description: "how many days events for webhooks, and what was sent of them, are kept",
	}),
	TOLLGATE_AUDIT_KEEP_DAYS: Type.Optional(
		Type.String({
			pattern: "^[1-9]\\d{0,4}$",
			description: "how many days the audit log is kept; unset, for ever",
		}),
	),
	TOLLGATE_PDF_HOURS: Type.String({
		pattern: "^[1-9]\\d{0,3}$",
		default: "24",
		description: "how long a finished PDF is kept",
	}),
	TOLLGATE_PDF_MIB: Type.String({
		pattern: "^[1-9]\\d{0,5}$",
		default: "256",
		description: "how much room finished PDFs may take",
	}),
});

const names = Object.keys(Variables.properties);

export interface Config {
	readonly host: string;
	/** 0 picks a free one. */
	readonly port: number;
	readonly dataDir: string;
	/** How many threads answer requests. */
	readonly httpThreads: number;
	readonly logLevel: (typeof logLevels)[number];
	readonly bootstrapApiKey: string | undefined;
	readonly bootstrapPublishableKey: string | undefined;
	/** Seeds the demo catalogue on an empty database. */
	readonly demo: boolean;
	readonly trustedProxies: readonly AddressRange[];
	/** Undefined: none is ever archived. */
	readonly eventsKeepDays: number | undefined;
	/** How long events are known when they are sent again; undefined: for ever. */
	readonly eventsKnownDays: number | undefined;
	readonly eventsKnownBytesMax: number;
	/** How long events for those outside are kept, and what was sent of them. */
	readonly webhooksKeepDays: number;
	/** Undefined: the audit log is kept for ever. */
	readonly auditKeepDays: number | undefined;
	/** Undefined: files of old events stay in the data folder. */
	readonly storage: StorageSettings | undefined;
	readonly pdfLifetimeMs: number;
	readonly pdfBytesMax: number;
	readonly api: ApiSettings;
}

/** What a wrong variable ends with: its name and what it must be, never its value, which may be a secret. */
export class ConfigError extends Error {}

const expectations: Readonly<Record<string, string>> = {
	TOLLGATE_PORT: "a port from 0 to 65535",
	TOLLGATE_HTTP_THREADS: "a number from 1 to 16",
	TOLLGATE_LOG_LEVEL: `one of ${logLevels.join(", ")}`,
	TOLLGATE_BOOTSTRAP_API_KEY: "'server-' and at least 16 characters",
	TOLLGATE_BOOTSTRAP_PUBLISHABLE_KEY: "'client-' and at least 16 characters",
	TOLLGATE_DEMO: "1 or 0",
	TOLLGATE_TRUSTED_PROXIES: "addresses or networks, comma-separated, such as 10.0.0.0/8,::1",
	TOLLGATE_PUBLIC_URL: "an address such as https://billing.example.com, without a path or a user",
	TOLLGATE_SMTP_URL: "an address such as smtps://user:password@mail.example.com:465",
	TOLLGATE_MAIL_FROM: "set together with TOLLGATE_SMTP_URL: an address such as Tollgate <billing@example.com>",
	TOLLGATE_SESSION_HOURS: "a number of hours from 1 to 9999",
	TOLLGATE_SESSION_IDLE_MINUTES: "a number of minutes from 1 to 99999",
	TOLLGATE_EDGE_CALLS_PER_SECOND: "a number from 1 to 9999",
	TOLLGATE_GRAPHQL_INTROSPECTION: "1 or 0",
	TOLLGATE_GRAPHQL_OPERATIONS:
		"a JSON file of at most 8 MiB that this user can read: a list of up to 1000 texts of operations",
	TOLLGATE_EVENTS_KEEP_DAYS: "a number of days from 1 to 99999",
	TOLLGATE_EVENTS_KNOWN_DAYS: "a number of days from 1 to 99999",
	TOLLGATE_EVENTS_KNOWN_MIB: "a number of MiB from 32 to 999999",
	TOLLGATE_S3_BUCKET: "the name of a bucket: letters, digits, '.', '_' and '-'",
	TOLLGATE_S3_ENDPOINT: "an address such as https://s3.example.com, without a path or a user",
	TOLLGATE_S3_REGION: "a region such as eu-central-1",
	TOLLGATE_S3_PREFIX: "a folder such as tollgate/archive: letters, digits, '.', '_' and '-' between slashes",
	TOLLGATE_S3_ACCESS_KEY_ID: "set, without spaces, together with TOLLGATE_S3_BUCKET",
	TOLLGATE_S3_SECRET_ACCESS_KEY: "set, without spaces, together with TOLLGATE_S3_BUCKET",
	TOLLGATE_S3_CACHE_MIB: "a number of MiB from 64 to 999999",
	TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1 or 0",
	TOLLGATE_WEBHOOKS_KEEP_DAYS: "a number of days from 7 to 99999",
	TOLLGATE_AUDIT_KEEP_DAYS: "a number of days from 1 to 99999",
	TOLLGATE_PDF_HOURS: "a number of hours from 1 to 9999",
	TOLLGATE_PDF_MIB: "a number of MiB from 1 to 999999",
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Our choice: no setting is longer; a larger file is another one than was meant. */
const fileBytesMax = 64 * 1024;

/** Throws ConfigError for the first setting that is not what it must be. */
export function readConfig(environment: Environment): Config {
	const given = Object.fromEntries(names.map((name) => [name, settingOf(environment, name)]));
	const variables: unknown = Value.Default(Variables, Value.Clean(Variables, given));
	const wrong = [...Value.Errors(Variables, variables)].find(({ value }) => value !== undefined);
	if (wrong) throw new ConfigError(expected(wrong.path.slice(1)));
	const read = variables as Static<typeof Variables>;
	const port = Number(read.TOLLGATE_PORT);
	if (port > 65_535) throw new ConfigError(expected("TOLLGATE_PORT"));
	const httpThreads = Number(read.TOLLGATE_HTTP_THREADS ?? httpThreadsDefault());
	if (httpThreads < 1 || httpThreads > httpThreadsMax) throw new ConfigError(expected("TOLLGATE_HTTP_THREADS"));
	const knownMiB = Number(read.TOLLGATE_EVENTS_KNOWN_MIB);
	if (knownMiB < knownMiBMin) throw new ConfigError(expected("TOLLGATE_EVENTS_KNOWN_MIB"));
	const webhooksKeepDays = Number(read.TOLLGATE_WEBHOOKS_KEEP_DAYS);
	if (webhooksKeepDays < webhooksKeepDaysMin) throw new ConfigError(expected("TOLLGATE_WEBHOOKS_KEEP_DAYS"));
	return {
		host: read.TOLLGATE_HOST,
		port,
		dataDir: read.TOLLGATE_DATA_DIR,
		httpThreads,
		logLevel: read.TOLLGATE_LOG_LEVEL,
		bootstrapApiKey: read.TOLLGATE_BOOTSTRAP_API_KEY,
		bootstrapPublishableKey: read.TOLLGATE_BOOTSTRAP_PUBLISHABLE_KEY,
		demo: read.TOLLGATE_DEMO === "1",
		trustedProxies: readProxies(read.TOLLGATE_TRUSTED_PROXIES),
		eventsKeepDays: read.TOLLGATE_EVENTS_KEEP_DAYS === undefined ? undefined : Number(read.TOLLGATE_EVENTS_KEEP_DAYS),
		eventsKnownDays:
			read.TOLLGATE_EVENTS_KNOWN_DAYS === undefined ? undefined : Number(read.TOLLGATE_EVENTS_KNOWN_DAYS),
		eventsKnownBytesMax: knownMiB * 1024 * 1024,
		webhooksKeepDays,
		auditKeepDays: read.TOLLGATE_AUDIT_KEEP_DAYS === undefined ? undefined : Number(read.TOLLGATE_AUDIT_KEEP_DAYS),
		storage: readStorage(read),
		pdfLifetimeMs: Number(read.TOLLGATE_PDF_HOURS) * 60 * 60 * 1000,
		pdfBytesMax: Number(read.TOLLGATE_PDF_MIB) * 1024 * 1024,
		api: {
			edgeCallsPerSecondMax: Number(read.TOLLGATE_EDGE_CALLS_PER_SECOND),
			introspection: read.TOLLGATE_GRAPHQL_INTROSPECTION === "1",
			operations: readOperations(read.TOLLGATE_GRAPHQL_OPERATIONS),
			allowPrivateWebhooks: read.TOLLGATE_WEBHOOKS_ALLOW_PRIVATE === "1",
			publicUrl:
				read.TOLLGATE_PUBLIC_URL === undefined
					? undefined
					: readOrigin("TOLLGATE_PUBLIC_URL", read.TOLLGATE_PUBLIC_URL),
			mail: readMail(read),
			sessions: {
				lifetimeMs: Number(read.TOLLGATE_SESSION_HOURS) * 60 * 60 * 1000,
				idleMs:
					read.TOLLGATE_SESSION_IDLE_MINUTES === undefined
						? undefined
						: Number(read.TOLLGATE_SESSION_IDLE_MINUTES) * 60 * 1000,
			},
		},
	};
}

/** Our choices: several times what any product asks, and no more than is told to each thread in a moment. */
const operationsMax = 1000;
const operationsBytesMax = 8 * 1024 * 1024;

/** By the SHA-256 of their texts, as clients name them. */
function readOperations(file: string | undefined): ApiSettings["operations"] {
	if (file === undefined) return undefined;
	const texts = textsIn(file);
	if (!texts) throw new ConfigError(expected("TOLLGATE_GRAPHQL_OPERATIONS"));
	return Object.fromEntries(texts.map((text) => [hashText(text), text]));
}

function textsIn(file: string): string[] | undefined {
	try {
		if (statSync(file).size > operationsBytesMax) return undefined;
		const texts: unknown = JSON.parse(readFileSync(file, "utf8"));
		const isList =
			Array.isArray(texts) && texts.length <= operationsMax && texts.every((text) => typeof text === "string");
		return isList ? texts : undefined;
	} catch {
		return undefined;
	}
}

/** The server, the sender, and where links lead: a mail without one of them is none. */
function readMail(read: Static<typeof Variables>): ApiSettings["mail"] {
	const { TOLLGATE_SMTP_URL: url, TOLLGATE_MAIL_FROM: from } = read;
	if (url === undefined && from === undefined) return undefined;
	if (url === undefined || !URL.canParse(url)) throw new ConfigError(expected("TOLLGATE_SMTP_URL"));
	if (from === undefined) throw new ConfigError(expected("TOLLGATE_MAIL_FROM"));
	if (read.TOLLGATE_PUBLIC_URL === undefined)
		throw new ConfigError("TOLLGATE_PUBLIC_URL must be set where mail is sent: links in mails lead there.");
	return { url, from };
}

/** The bucket and who may use it, or none of them; a part of it would be ignored without a word. */
function readStorage(read: Static<typeof Variables>): StorageSettings | undefined {
	const {
		TOLLGATE_S3_BUCKET: bucket,
		TOLLGATE_S3_ENDPOINT: endpoint,
		TOLLGATE_S3_REGION: region,
		TOLLGATE_S3_PREFIX: prefix,
		TOLLGATE_S3_ACCESS_KEY_ID: accessKeyId,
		TOLLGATE_S3_SECRET_ACCESS_KEY: secretAccessKey,
	} = read;
	const cacheMiB = Number(read.TOLLGATE_S3_CACHE_MIB);
	if (cacheMiB < cacheMiBMin) throw new ConfigError(expected("TOLLGATE_S3_CACHE_MIB"));
	if (bucket === undefined) {
		if ((endpoint ?? prefix ?? accessKeyId ?? secretAccessKey) === undefined) return undefined;
		throw new ConfigError("TOLLGATE_S3_BUCKET must be set where another setting TOLLGATE_S3_… is.");
	}
	if (accessKeyId === undefined) throw new ConfigError(expected("TOLLGATE_S3_ACCESS_KEY_ID"));
	if (secretAccessKey === undefined) throw new ConfigError(expected("TOLLGATE_S3_SECRET_ACCESS_KEY"));
	return {
		...{ bucket, region, accessKeyId, secretAccessKey },
		endpoint:
			endpoint === undefined ? `https://s3.${region}.amazonaws.com` : readOrigin("TOLLGATE_S3_ENDPOINT", endpoint),
		prefix: prefix === undefined ? "" : prefix.replace(/\/?$/, "/"),
		cacheBytesMax: cacheMiB * 1024 * 1024,
	};
}

/** Our choice: room for all events of an hour, as several threads read them at once. */
const cacheMiBMin = 64;

function readOrigin(name: string, text: string): string {
	const url = URL.parse(text);
	const isPlain = url && /^https?:$/.test(url.protocol) && url.username === "" && `${url.origin}/` === url.href;
	if (!isPlain) throw new ConfigError(expected(name));
	return url.origin;
}

/** Our choice: beyond the days for which a delivery is tried, and after which a failing endpoint is disabled. */
const webhooksKeepDaysMin = 7;

/** Our choice: what the newest events take before they go to a file, and the work on the files. */
const knownMiBMin = 32;

/** Our choice: each has connections, caches and a heap of its own. */
const httpThreadsMax = 16;

/**
 * Our choice: two processors are for the threads that write and for everything else. Only Linux shares the connections of
 * one port out among threads.
 */
const httpThreadsDefault = (): number =>
	process.platform === "linux" ? Math.min(8, Math.max(1, availableParallelism() - 2)) : 1;

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

/** As it is set, or as the file has it that `NAME_FILE` names; undefined when neither is, or when it is empty. */
function settingOf(environment: Environment, name: string): string | undefined {
	const file = environment[`${name}_FILE`];
	const value = environment[name] || undefined;
	if (!file) return value;
	if (value !== undefined) throw new ConfigError(`Set ${name} or ${name}_FILE, not both.`);
	try {
		if (statSync(file).size <= fileBytesMax) return readFileSync(file, "utf8").trim() || undefined;
	} catch {
		throw new ConfigError(`${name}_FILE must name a file that this user can read.`);
	}
	throw new ConfigError(`${name}_FILE must name a file of at most ${fileBytesMax} bytes.`);
}

/** No setting: names the executable to the scripts that start it (the tests, the bench). */
const executableName = "TOLLGATE_BINARY";

/**
 * A setting that is misspelt would be ignored without a word: the server does not start with one. (Other commands do, so that
 * a shell may hold variables of its own.)
 */
export function assertKnown(environment: Environment): void {
	for (const name of Object.keys(environment)) {
		if (!name.startsWith("TOLLGATE_") || names.includes(name.replace(/_FILE$/, "")) || name === executableName)
			continue;
		const [nearest] = names.toSorted((one, other) => distance(name, one) - distance(name, other));
		throw new ConfigError(
			`There is no setting '${name.slice(0, 100)}'; did you mean ${nearest}? (\`tollgate serve --help\` lists all.)`,
		);
	}
}

/** How many letters must be put in, left out or changed to make one of the other (Levenshtein). */
function distance(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, at) => at);
	for (let at = 1; at <= one.length; at += 1) {
		const next = [at];
		for (let to = 1; to <= other.length; to += 1) {
			const changed = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
			next.push(Math.min(changed, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row[other.length] ?? 0;
}

/** For `serve --help`: each setting, what it is, and what holds when it is unset. */
export function describeSettings(): string {
	const width = Math.max(...names.map((name) => name.length));
	const lines = Object.entries(Variables.properties).map(
		([name, { description, default: standard }]) =>
			`  ${name.padEnd(width)}  ${description}${standard === undefined ? "" : ` (${standard})`}`,
	);
	return ["", "Settings, as environment variables; NAME_FILE names a file that holds the value:", ...lines].join("\n");
}

const expected = (name: string): string => `${name} must be ${expectations[name] ?? "set"}.`;
