import type { Instant } from "../../../kernel/clock";
import type { LogRow } from "../blocks/event-block";

/** About 150 KB. Unpacking them for one event takes a third of a millisecond. */
export const frameBlocksMax = 16;

/** The checksum, and the number of blocks. */
const headBytes = 12;
/** The head of a block: its position, the number of events, the first time, and the lengths of five columns. */
const rowBytes = 8 + 4 + 8 + 5 * 4;

/** Packs blocks of the log into a frame of zstd; `zstd` can read a file of such frames. */
export function packFrame(rows: readonly LogRow[]): Uint8Array {
	const parts: Buffer[] = [Buffer.alloc(headBytes)];
	for (const { firstEvent, events, firstAt, later, customers, facts, keys, fingerprints } of rows) {
		const columns = [later, customers, Buffer.from(facts), Buffer.from(keys), fingerprints];
		const head = Buffer.alloc(rowBytes);
		head.writeDoubleLE(firstEvent, 0);
		head.writeUInt32LE(events, 8);
		head.writeDoubleLE(firstAt, 12);
		for (const [at, column] of columns.entries()) head.writeUInt32LE(column.length, 20 + 4 * at);
		parts.push(head, ...columns);
	}
	const payload = Buffer.concat(parts);
	payload.writeUInt32LE(rows.length, 8);
	payload.writeBigUInt64LE(checkOf(payload), 0);
	return Bun.zstdCompressSync(payload);
}

/** Returns the blocks of a frame; undefined if it is damaged. */
export function unpackFrame(frame: Uint8Array): LogRow[] | undefined {
	const payload = unpack(frame);
	if (!payload || payload.length < headBytes || payload.readBigUInt64LE(0) !== checkOf(payload)) return undefined;
	const rows: LogRow[] = [];
	let at = headBytes;
	const take = (bytes: number): Buffer => {
		at += bytes;
		return payload.subarray(at - bytes, at);
	};
	for (let row = 0; row < payload.readUInt32LE(8); row += 1) {
		const head = take(rowBytes);
		const column = (index: number): Buffer => take(head.readUInt32LE(20 + 4 * index));
		rows.push({
			firstEvent: head.readDoubleLE(0),
			events: head.readUInt32LE(8),
			firstAt: head.readDoubleLE(12) as Instant,
			later: column(0),
			customers: column(1),
			facts: column(2).toString(),
			keys: column(3).toString(),
			fingerprints: column(4),
		});
	}
	return rows;
}

function unpack(frame: Uint8Array): Buffer | undefined {
	try {
		return Buffer.from(Bun.zstdDecompressSync(frame));
	} catch {
		// The caller knows the name of the damaged file.
		return undefined;
	}
}

/** A frame that `zstd` skips precedes each frame and holds its length, so a file describes its own frames. */
export const markBytes = 12;
const skippable = 0x184d_2a50;

export function markOf(frame: Uint8Array): Buffer {
	const mark = Buffer.alloc(markBytes);
	mark.writeUInt32LE(skippable, 0);
	mark.writeUInt32LE(markBytes - 8, 4);
	mark.writeUInt32LE(frame.length, 8);
	return mark;
}

/** Returns the length of the frame after a mark; undefined if the bytes are no mark. */
export function frameBytesAfter(bytes: Uint8Array): number | undefined {
	const mark = Buffer.from(bytes);
	return mark.length === markBytes && mark.readUInt32LE(0) === skippable ? mark.readUInt32LE(8) : undefined;
}

const checkOf = (payload: Buffer): bigint => Bun.hash.wyhash(payload.subarray(8));
