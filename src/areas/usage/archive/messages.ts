import type { Instant } from "../../../kernel/clock";
import type { LogRow } from "../blocks/event-block";
import type { events } from "../table.events";

/** A row of the log of the first release. */
export type OldRow = typeof events.$inferSelect;

/** A file of the archive that is whole and on disk. */
export interface ArchiveFile {
	readonly name: string;
	readonly day: number;
	readonly bytes: number;
	readonly sha256: string;
}

/** A file of the archive and its storage (rules.storage.ts); null: only in the folder. */
export interface StoredFile extends ArchiveFile {
	readonly storedIn: string | null;
}

/** A block of the log, and its frame in a file of the archive. */
export interface ArchivedBlock {
	readonly firstEvent: number;
	readonly lastAt: Instant;
	readonly offset: number;
	readonly bytes: number;
}

/** An order to the log's writer. Repeating it changes nothing. */
export type ArchiveOrder = ArchiveSlice | StoredSlice | ErasedSlice | RewrittenSlice | DroppedFile | DeletedObject;

/** Blocks that a file of the archive replaces. */
export interface ArchiveSlice {
	readonly kind: "archived";
	readonly file: ArchiveFile;
	readonly blocks: readonly ArchivedBlock[];
	/** Whether these are the last blocks of the file. */
	readonly isLast: boolean;
}

/** The identities of events in blocks whose file is in the storage and was read back from there. */
export interface StoredSlice {
	readonly kind: "stored";
	readonly file: ArchiveFile;
	/** The storage. */
	readonly storedIn: string;
	readonly identities: readonly BlockIdentities[];
	/** Whether these are the last blocks of the file: then the file in the folder may be deleted. */
	readonly isLast: boolean;
}

export interface BlockIdentities {
	readonly firstEvent: number;
	/** 8 bytes each. */
	readonly fingerprints: Uint8Array;
	/** 4 bytes each (identity-check.ts). */
	readonly checks: Uint8Array;
}

/** Events of an erased customer in their new form: of blocks, and of the first release's rows. */
export interface ErasedSlice {
	readonly kind: "erased";
	readonly blocks: ReadonlyArray<Pick<LogRow, "firstEvent" | "facts" | "keys">>;
	readonly rows: ReadonlyArray<Pick<OldRow, "id" | "dimensions" | "idempotencyKey">>;
}

/** Blocks of a file of the archive that another file replaces. */
export interface RewrittenSlice {
	readonly kind: "rewritten";
	/** The name of the former file. */
	readonly from: string;
	readonly file: ArchiveFile;
	readonly blocks: readonly ArchivedBlock[];
	readonly isLast: boolean;
}

/** A file that holds no block any more and is not in the folder. */
export interface DroppedFile {
	readonly kind: "dropped";
	readonly file: ArchiveFile;
	/** Its object in the storage, which is retained for the backups that need it. */
	readonly replaced?: ReplacedObject;
}

export interface ReplacedObject {
	readonly storedIn: string;
	readonly replacedAt: Instant;
	/** The object may be deleted from then on. */
	readonly deleteAt: Instant;
}

/** A replaced object that is deleted. */
export interface DeletedObject {
	readonly kind: "deleted";
	readonly file: StoredFile;
}

/** The answer to an order: whether it is on disk. */
export interface OrderDone {
	readonly isDone: boolean;
}
