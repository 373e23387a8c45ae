import type { StorageSettings } from "../../areas/usage/archive/rules.storage";
import type { Keep } from "./rules.keep";

export type BucketSettings = Omit<StorageSettings, "cacheBytesMax">;

/** Where backups go: a folder, by its absolute path, or a bucket. */
export type BackupTarget =
	| { readonly kind: "folder"; readonly path: string }
	| { readonly kind: "bucket"; readonly storage: BucketSettings };

/** The settings TOLLGATE_BACKUP_… */
export interface BackupSettings {
	/** The time between two backups, in milliseconds. */
	readonly everyMs: number;
	readonly keep: Keep;
	readonly to: BackupTarget;
	/** 64 hexadecimal digits. */
	readonly key: string;
}
