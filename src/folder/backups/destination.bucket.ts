import { openObjects } from "../../areas/usage/archive/operations.storage";
import { FolderError } from "../../kernel/errors";
import { type Sum, writeFlushed } from "../../kernel/sealed-files";
import { FileUnreadable } from "../../kernel/storage/failures";
import type { Destination } from "./destination";
import type { ListedFile } from "./rules.names";
import type { BucketSettings } from "./settings";

/** Backups as objects of a bucket with the S3 protocol. */
export class BucketDestination implements Destination {
	readonly location: string;
	readonly #objects;

	constructor(settings: BucketSettings) {
		this.#objects = openObjects(settings);
		this.location = this.#objects.location;
	}

	list(): Promise<ListedFile[]> {
		return explained(this.#objects.list("tollgate-"));
	}

	async put(name: string, path: string, sum: Sum): Promise<void> {
		const object = { name, ...sum };
		await explained(this.#objects.put(object, path));
		const difference = await explained(this.#objects.difference(object));
		if (difference !== undefined)
			throw new FolderError(
				`${this.location}${name} ${difference}, right after it was written: look at the storage; it is written again.`,
			);
	}

	async fetch(name: string, bytes: number, path: string): Promise<void> {
		await explained(writeFlushed(this.#objects.pieces({ name, bytes }), path));
	}

	async remove(name: string): Promise<void> {
		const failure = await this.#objects.remove({ name, bytes: 0, sha256: "" });
		if (failure) throw new FolderError(`${failure.message}: give the key the right s3:DeleteObject.`);
	}

	readText(name: string): Promise<string | undefined> {
		return explained(this.#objects.readText(name));
	}

	async writeText(name: string, text: string): Promise<void> {
		await explained(this.#objects.writeText(name, text));
	}
}

/** The failures of the storage speak of old events to callers of the API. Their cause says what the operator needs. */
async function explained<T>(answer: Promise<T>): Promise<T> {
	try {
		return await answer;
	} catch (error) {
		if (!(error instanceof FileUnreadable) || !(error.cause instanceof Error)) throw error;
		throw new FolderError(`Backups cannot be read or written: ${error.cause.message}`, { cause: error });
	}
}
