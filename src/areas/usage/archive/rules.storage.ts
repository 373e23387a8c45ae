import { join } from "node:path";
import type { ArchiveFile } from "./messages";

/** Where old events are kept that are to leave the data folder: a bucket that speaks S3. */
export interface StorageSettings {
	readonly bucket: string;
	/** Its service, such as https://s3.eu-central-1.amazonaws.com. */
	readonly endpoint: string;
	readonly region: string;
	/** What the name of each object begins with; empty, or with a slash at its end. */
	readonly prefix: string;
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	/** What pieces of files that were fetched may take of the disk, in bytes. */
	readonly cacheBytesMax: number;
}

/** As people name it. */
export const locationOf = ({ bucket, prefix }: Pick<StorageSettings, "bucket" | "prefix">): string =>
	`s3://${bucket}/${prefix}`;

/**
 * An object's name says what it holds: two folders that share a bucket, as one and what was restored of its backup do, never
 * write over each other's, and `sha256sum` tells whether it is whole.
 */
export const objectName = ({ name, sha256 }: Pick<ArchiveFile, "name" | "sha256">): string =>
	name.replace(/\.zst$/, `-${sha256}.zst`);

/** Our choice: what is fetched at once: a few frames, in a hundredth of a second from a storage nearby. */
export const pieceBytes = 1024 * 1024;

/** The pieces that hold a part of a file. */
export function piecesOf(offset: number, bytes: number): number[] {
	const first = Math.floor(offset / pieceBytes);
	const last = Math.floor((offset + bytes - 1) / pieceBytes);
	return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Within the data folder: what was fetched from the storage. */
export const fetchedFolder = (folder: string): string => join(folder, "fetched");

/** How much of old events a storage holds that is not in the folder. */
export interface InStorage {
	/** As people name it. */
	readonly storage: string;
	readonly files: number;
	readonly bytes: number;
}

export const describeStored = ({ storage, files, bytes }: InStorage): string =>
	`${files} files of old events (${Math.ceil(bytes / (1024 * 1024))} MiB) lie in ${storage}`;
