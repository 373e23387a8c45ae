import { join } from "node:path";
import type { ArchiveFile } from "./messages";

/** The storage for old events outside of the data folder: a bucket with the S3 protocol. */
export interface StorageSettings {
	readonly bucket: string;
	/** The address of its service, such as https://s3.eu-central-1.amazonaws.com. */
	readonly endpoint: string;
	readonly region: string;
	/** The prefix of each object's name; empty, or with a slash at its end. */
	readonly prefix: string;
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	/** The disk space for pieces of fetched files, in bytes. */
	readonly cacheBytesMax: number;
}

/** Returns the address that people use. */
export const locationOf = ({ bucket, prefix }: Pick<StorageSettings, "bucket" | "prefix">): string =>
	`s3://${bucket}/${prefix}`;

/**
 * Returns an object's name, which contains its hash. Folders that share a bucket, such as one and its restored backup,
 * never overwrite each other's objects, and `sha256sum` verifies each object.
 */
export const objectName = ({ name, sha256 }: Pick<ArchiveFile, "name" | "sha256">): string =>
	name.replace(/\.zst$/, `-${sha256}.zst`);

/** Bytes that are fetched at once, a few frames. A storage nearby sends them in 10 ms. */
export const pieceBytes = 1024 * 1024;

/** Returns the pieces that hold a part of a file. */
export function piecesOf(offset: number, bytes: number): number[] {
	const first = Math.floor(offset / pieceBytes);
	const last = Math.floor((offset + bytes - 1) / pieceBytes);
	return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Returns the folder of fetched pieces, within the data folder. */
export const fetchedFolder = (folder: string): string => join(folder, "fetched");

/** The old events that are in a storage and not in the folder. */
export interface InStorage {
	/** The address that people use. */
	readonly storage: string;
	readonly files: number;
	readonly bytes: number;
}

export const describeStored = ({ storage, files, bytes }: InStorage): string =>
	`${files} files of old events (${Math.ceil(bytes / (1024 * 1024))} MiB) lie in ${storage}`;
