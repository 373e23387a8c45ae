import type { Instant } from "../../../kernel/clock";
import type { LogRow } from "../blocks/event-block";
import type { events } from "../table.events";

/** A row of the log of the first release. */
export type OldRow = typeof events.$inferSelect;

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
export type ArchiveOrder = ArchiveSlice | StoredSlice | ErasedSlice | RewrittenSlice | DroppedFile | DeletedObject;

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

/** Events whose customer was erased, as they are to stand from now on: of blocks, and of the first release's rows. */
export interface ErasedSlice {
	readonly kind: "erased";
	readonly blocks: ReadonlyArray<Pick<LogRow, "firstEvent" | "facts" | "keys">>;
	readonly rows: ReadonlyArray<Pick<OldRow, "id" | "dimensions" | "idempotencyKey">>;
}

/** Blocks of a file of the archive for which another file is to stand from now on. */
export interface RewrittenSlice {
	readonly kind: "rewritten";
	/** The name of the former file. */
	readonly from: string;
	readonly file: ArchiveFile;
	readonly blocks: readonly ArchivedBlock[];
	readonly isLast: boolean;
}

/** A file that stands for no block any more. It is not in the folder, or no longer. */
export interface DroppedFile {
	readonly kind: "dropped";
	readonly file: ArchiveFile;
	/** Its object in the storage, which stays for the backups that need it. */
	readonly replaced?: ReplacedObject;
}

export interface ReplacedObject {
	readonly storedIn: string;
	readonly replacedAt: Instant;
	/** From then on it may go. */
	readonly deleteAt: Instant;
}

/** A replaced object, which is gone. */
export interface DeletedObject {
	readonly kind: "deleted";
	readonly file: StoredFile;
}

/** Its answer: whether that is on disk. */
export interface OrderDone {
	readonly isDone: boolean;
}
