import type { Sum } from "../../kernel/sealed-files";
import type { ListedFile } from "./rules.names";

/** A place for backups. Every method throws an error that names the place and the remedy. */
export interface Destination {
	/** The address that people use. */
	readonly location: string;
	/** Returns the files, without those of other programs as far as possible. */
	list(): Promise<ListedFile[]>;
	/** Writes a file, reads it back and compares it. Replaces a file of this name. */
	put(name: string, path: string, sum: Sum): Promise<void>;
	/** Writes the file of this size to a new path. */
	fetch(name: string, bytes: number, path: string): Promise<void>;
	/** Removes a file; a missing one is no failure. */
	remove(name: string): Promise<void>;
	/** Returns a text; undefined if there is none. */
	readText(name: string): Promise<string | undefined>;
	writeText(name: string, text: string): Promise<void>;
}
