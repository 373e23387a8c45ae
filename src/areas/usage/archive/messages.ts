import type { Instant } from "../../../kernel/clock";

/** A file of the archive, which is whole and on disk. */
export interface ArchiveFile {
	readonly name: string;
	readonly day: number;
	readonly bytes: number;
	readonly sha256: string;
}

/** A file of the archive, and in which storage it is (rules.storage.ts); null: here only. */
export interface StoredFile extends ArchiveFile {
	readonly storedIn: string | null;
}

/** A block of the log, and in which frame of the file it is. */
export interface ArchivedBlock {
	readonly firstEvent: number;
	readonly lastAt: Instant;
	readonly offset: number;
	readonly bytes: number;
}

/** To the log's writer. Doing it twice is doing it once. */
export type ArchiveOrder = ArchiveSlice | StoredSlice;

/** Blocks for which the file is to stand from now on. */
export interface ArchiveSlice {
	readonly kind: "archived";
	readonly file: ArchiveFile;
	readonly blocks: readonly ArchivedBlock[];
	/** Whether these are the last of the file. */
	readonly isLast: boolean;
}

/** By what the events of blocks are known, whose file is in the storage and was read back from there. */
export interface StoredSlice {
	readonly kind: "stored";
	readonly file: ArchiveFile;
	/** Which storage that is. */
	readonly storedIn: string;
	readonly identities: readonly BlockIdentities[];
	/** Whether these are the last of the file: then it may go. */
	readonly isLast: boolean;
}

export interface BlockIdentities {
	readonly firstEvent: number;
	/** 8 bytes each. */
	readonly fingerprints: Uint8Array;
	/** 4 bytes each (identity-check.ts). */
	readonly checks: Uint8Array;
}

/** Its answer: whether that is on disk. */
export interface OrderDone {
	readonly isDone: boolean;
}
