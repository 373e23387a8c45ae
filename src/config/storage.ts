import { type Static, Type } from "@sinclair/typebox";
import type { StorageSettings } from "../areas/usage/archive/rules.storage";
import { ConfigError, originIn, refusalOf, wholeNumber } from "./setting";

/** Space for all events of an hour, read by several threads at once. */
const cacheMiBMin = 64;

/** The bucket to which files of old events move. */
export const storageSettings = Type.Object({
	TOLLGATE_S3_BUCKET: Type.Optional(
		Type.String({
			pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$",
			description: "the bucket to which files of old events move; unset, they stay in the data folder",
			expects: "the name of a bucket: letters, digits, '.', '_' and '-'",
		}),
	),
	TOLLGATE_S3_ENDPOINT: Type.Optional(
		Type.String({
			maxLength: 255,
			description: "where its service is, such as https://s3.example.com; by the region, that of AWS when unset",
			expects: "an address such as https://s3.example.com, without a path or a user",
		}),
	),
	TOLLGATE_S3_REGION: Type.String({
		pattern: "^[A-Za-z0-9-]{1,64}$",
		default: "us-east-1",
		description: "its region",
		expects: "a region such as eu-central-1",
	}),
	TOLLGATE_S3_PREFIX: Type.Optional(
		Type.String({
			pattern: "^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*/?$",
			maxLength: 200,
			description: "a folder within the bucket, such as tollgate/archive",
			expects: "a folder such as tollgate/archive: letters, digits, '.', '_' and '-' between slashes",
		}),
	),
	TOLLGATE_S3_ACCESS_KEY_ID: Type.Optional(
		Type.String({
			pattern: "^\\S{1,255}$",
			description: "who may read and write there",
			expects: "set, without spaces, together with TOLLGATE_S3_BUCKET",
		}),
	),
	TOLLGATE_S3_SECRET_ACCESS_KEY: Type.Optional(
		Type.String({
			pattern: "^\\S{1,255}$",
			description: "its secret",
			expects: "set, without spaces, together with TOLLGATE_S3_BUCKET",
		}),
	),
	TOLLGATE_S3_CACHE_MIB: wholeNumber(cacheMiBMin, 999_999, {
		unit: "MiB",
		default: "256",
		description: "how much room old events may take that were fetched from there to be read",
	}),
});

const wrong = refusalOf(storageSettings);

type Given = Static<typeof storageSettings> & { readonly TOLLGATE_BACKUP_TO?: string | undefined };

/** Whether backups go to a bucket. They use the same connection. */
export const isInBucket = (backupTo: string | undefined): boolean => backupTo?.startsWith("s3:") ?? false;

/** Reads the bucket with its credentials; all of them or none: a part would otherwise be ignored. */
export function readStorage(given: Given): StorageSettings | undefined {
	const {
		TOLLGATE_S3_BUCKET: bucket,
		TOLLGATE_S3_ENDPOINT: endpoint,
		TOLLGATE_S3_PREFIX: prefix,
		TOLLGATE_S3_ACCESS_KEY_ID: accessKeyId,
		TOLLGATE_S3_SECRET_ACCESS_KEY: secretAccessKey,
	} = given;
	if (bucket === undefined) {
		const others = isInBucket(given.TOLLGATE_BACKUP_TO)
			? prefix
			: (endpoint ?? prefix ?? accessKeyId ?? secretAccessKey);
		if (others === undefined) return undefined;
		throw new ConfigError("TOLLGATE_S3_BUCKET must be set where another setting TOLLGATE_S3_… is.");
	}
	return {
		...{ bucket, ...connectionIn(given, "TOLLGATE_S3_BUCKET") },
		prefix: prefix === undefined ? "" : prefix.replace(/\/?$/, "/"),
		cacheBytesMax: Number(given.TOLLGATE_S3_CACHE_MIB) * 1024 * 1024,
	};
}

/** Reads the service of the bucket that `reason` names, and the credentials. Throws ConfigError. */
export function connectionIn(
	given: Static<typeof storageSettings>,
	reason: "TOLLGATE_S3_BUCKET" | "TOLLGATE_BACKUP_TO",
): Pick<StorageSettings, "endpoint" | "region" | "accessKeyId" | "secretAccessKey"> {
	const {
		TOLLGATE_S3_ENDPOINT: endpoint,
		TOLLGATE_S3_REGION: region,
		TOLLGATE_S3_ACCESS_KEY_ID: accessKeyId,
		TOLLGATE_S3_SECRET_ACCESS_KEY: secretAccessKey,
	} = given;
	const missing = (name: string) => new ConfigError(`${name} must be set, without spaces, together with ${reason}.`);
	if (accessKeyId === undefined) throw missing("TOLLGATE_S3_ACCESS_KEY_ID");
	if (secretAccessKey === undefined) throw missing("TOLLGATE_S3_SECRET_ACCESS_KEY");
	const origin = originIn(endpoint ?? `https://s3.${region}.amazonaws.com`);
	if (origin === undefined) throw wrong("TOLLGATE_S3_ENDPOINT");
	return { region, accessKeyId, secretAccessKey, endpoint: origin };
}
