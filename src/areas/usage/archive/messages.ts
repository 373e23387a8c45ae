import type { Instant } from "../../../kernel/clock";

/** A file of the archive, which is whole and on disk. */
export interface ArchiveFile {
	readonly name: string;
	readonly day: number;
	readonly bytes: number;
	readonly sha256: string;
}

/** A block of the log, and in which frame of the file it is. */
export interface ArchivedBlock {
	readonly firstEvent: number;
	readonly lastAt: Instant;
	readonly offset: number;
	readonly bytes: number;
}

/** To the log's writer: blocks for which the file is to stand from now on. Doing it twice is doing it once. */
export interface ArchiveSlice {
	readonly file: ArchiveFile;
	readonly blocks: readonly ArchivedBlock[];
	/** Whether these are the last of the file. */
	readonly isLast: boolean;
}

/** Its answer: whether that is on disk. */
export interface SliceMoved {
	readonly isMoved: boolean;
}
