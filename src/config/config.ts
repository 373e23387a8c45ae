import { readFileSync, statSync } from "node:fs";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { StorageSettings } from "../areas/usage/archive/rules.storage";
import type { BackupSettings } from "../folder/backups/settings";
import type { ApiSettings } from "../http/api-settings";
import { apiSettings, readApi } from "./api";
import { backupSettings, readBackups } from "./backups";
import { peopleSettings, readPeople } from "./people";
import { type RetentionConfig, readRetention, retentionSettings } from "./retention";
import { readServer, type ServerConfig, serverSettings } from "./server";
import { ConfigError, validated } from "./setting";
import { readStorage, storageSettings } from "./storage";

/** Every setting, as text. `NAME_FILE` may name a file that contains it instead. */
const settings = Type.Object({
	...serverSettings.properties,
	...peopleSettings.properties,
	...apiSettings.properties,
	...retentionSettings.properties,
	...storageSettings.properties,
	...backupSettings.properties,
});

const names = Object.keys(settings.properties);

export interface Config extends ServerConfig, RetentionConfig {
	/** Undefined: files of old events stay in the data folder. */
	readonly storage: StorageSettings | undefined;
	/** Undefined: no backups are scheduled. */
	readonly backups: BackupSettings | undefined;
	readonly api: ApiSettings;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** No setting is longer. A larger file is the wrong file. */
const fileBytesMax = 64 * 1024;

/** Reads the settings. Throws ConfigError for the first invalid one. */
export function readConfig(environment: Environment): Config {
	const texts = names.flatMap((name) => {
		const text = settingOf(environment, name);
		return text === undefined ? [] : [[name, text]];
	});
	const given = validated(settings, Value.Default(settings, Object.fromEntries(texts)));
	const [server, retention] = [readServer(given), readRetention(given)];
	return {
		...server,
		...retention,
		backups: readBackups(given, server.dataDir, retention.backupsKeptMs),
		storage: readStorage(given),
		api: { ...readApi(given), ...readPeople(given) },
	};
}

/** Returns a setting, from the environment or from the file that `NAME_FILE` names; undefined if it is unset or empty. */
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

/** Not a setting: it names the executable for scripts that start it (the tests, the bench). */
const executableName = "TOLLGATE_BINARY";

/**
 * Refuses unknown settings: a misspelled one would otherwise be ignored. Only the server does this, so that a shell may have variables of its
 * own. Throws ConfigError.
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

/** Returns the Levenshtein distance of two texts. */
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

/** Describes each setting and its default, for `serve --help`. */
export function describeSettings(): string {
	const width = Math.max(...names.map((name) => name.length));
	const lines = Object.entries(settings.properties).map(
		([name, { description, default: standard }]) =>
			`  ${name.padEnd(width)}  ${description}${standard === undefined ? "" : ` (${standard})`}`,
	);
	return ["", "Settings, as environment variables; NAME_FILE names a file that holds the value:", ...lines].join("\n");
}
