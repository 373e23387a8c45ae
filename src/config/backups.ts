import { isAbsolute, resolve, sep } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import type { Keep } from "../folder/backups/rules.keep";
import type { BackupSettings, BackupTarget } from "../folder/backups/settings";
import { ConfigError, refusalOf } from "./setting";
import { connectionIn, isInBucket, storageSettings } from "./storage";

/** Settings of scheduled backups. */
export const backupSettings = Type.Object({
	TOLLGATE_BACKUP_EVERY: Type.Optional(
		Type.String({
			pattern: "^([1-9]\\d{0,3}m|[1-9]\\d{0,2}h|[1-7]d)$",
			description: "the time between two backups, such as 15m, 6h or 1d; unset, none is made",
			expects: "a time from 5m to 7d, such as 15m, 6h or 1d",
		}),
	),
	TOLLGATE_BACKUP_KEEP: Type.String({
		maxLength: 100,
		default: "hourly=24,daily=7,weekly=4",
		description: "how many of them are kept: hourly, daily, weekly, monthly",
		expects: "a list such as hourly=24,daily=7,weekly=4,monthly=12, each at most 1000, and not all of them 0",
	}),
	TOLLGATE_BACKUP_TO: Type.Optional(
		Type.String({
			maxLength: 1000,
			description: "where they go: a folder, or s3://BUCKET/PREFIX with the settings TOLLGATE_S3_…",
			expects: "the absolute path of a folder outside of the data folder, or an address such as s3://bucket/backups",
		}),
	),
	TOLLGATE_BACKUP_KEY: Type.Optional(
		Type.String({
			pattern: "^[0-9a-fA-F]{64}$",
			description: "the key that seals them, best as TOLLGATE_BACKUP_KEY_FILE",
			expects: "64 hexadecimal digits: `openssl rand -hex 32` makes them",
		}),
	),
});

const wrong = refusalOf(backupSettings);

const settingsOfStorage = Type.Object(storageSettings.properties);
type Given = Static<typeof backupSettings> & Static<typeof settingsOfStorage>;

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const everyMs = { min: 5 * unitMs.m, max: 7 * unitMs.d };

/** Reads the settings of backups: all of them or none. Throws ConfigError. */
export function readBackups(given: Given, dataDir: string, replacedKeptMs: number): BackupSettings | undefined {
	const { TOLLGATE_BACKUP_EVERY: every, TOLLGATE_BACKUP_TO: to, TOLLGATE_BACKUP_KEY: key } = given;
	const keep = readKeep(given.TOLLGATE_BACKUP_KEEP);
	if (every === undefined && to === undefined && key === undefined) return undefined;
	for (const name of ["TOLLGATE_BACKUP_EVERY", "TOLLGATE_BACKUP_TO", "TOLLGATE_BACKUP_KEY"] as const)
		if (given[name] === undefined)
			throw new ConfigError(`${name} must be set where another setting TOLLGATE_BACKUP_… is.`);
	const target = readTarget(given, to ?? "", dataDir);
	const keptMs = daysKept(keep) * unitMs.d;
	if (given.TOLLGATE_S3_BUCKET !== undefined && replacedKeptMs < keptMs)
		throw new ConfigError(
			`TOLLGATE_BACKUPS_KEEP_DAYS must be at least ${daysKept(keep)}, the days that TOLLGATE_BACKUP_KEEP keeps backups: they need the objects of TOLLGATE_S3_BUCKET as long.`,
		);
	return { everyMs: readEvery(every ?? ""), keep, to: target, key: (key ?? "").toLowerCase() };
}

/** Returns the greatest age of a kept backup in days, where backups are made without gaps. */
const daysKept = ({ hourly, daily, weekly, monthly }: Keep): number =>
	Math.max(Math.ceil(hourly / 24), daily, weekly * 7, monthly * 31);

function readEvery(text: string): number {
	const ms = Number(text.slice(0, -1)) * unitMs[text.slice(-1) as keyof typeof unitMs];
	if (!(ms >= everyMs.min && ms <= everyMs.max)) throw wrong("TOLLGATE_BACKUP_EVERY");
	return ms;
}

/** A part that is left out keeps none. */
function readKeep(text: string): Keep {
	const keep = { hourly: 0, daily: 0, weekly: 0, monthly: 0 };
	const named = new Set<string>();
	for (const part of text.split(",")) {
		const [, name = "", number = ""] = /^(hourly|daily|weekly|monthly)=(\d{1,4})$/.exec(part.trim()) ?? [];
		if (name === "" || named.has(name) || Number(number) > 1000) throw wrong("TOLLGATE_BACKUP_KEEP");
		named.add(name);
		keep[name as keyof Keep] = Number(number);
	}
	if (Object.values(keep).every((number) => number === 0)) throw wrong("TOLLGATE_BACKUP_KEEP");
	return keep;
}

function readTarget(given: Given, to: string, dataDir: string): BackupTarget {
	if (isInBucket(to)) {
		const [, bucket = "", prefix = ""] =
			/^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]{1,254})(?:\/([A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*)?\/?)?$/.exec(to) ?? [];
		if (bucket === "") throw wrong("TOLLGATE_BACKUP_TO");
		return {
			kind: "bucket",
			storage: { bucket, prefix: prefix && `${prefix}/`, ...connectionIn(given, "TOLLGATE_BACKUP_TO") },
		};
	}
	const [path, data] = [resolve(to), resolve(dataDir)];
	if (!isAbsolute(to) || `${path}${sep}`.startsWith(`${data}${sep}`)) throw wrong("TOLLGATE_BACKUP_TO");
	return { kind: "folder", path };
}
