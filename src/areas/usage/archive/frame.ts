import type { Instant } from "../../../kernel/clock";
import type { LogRow } from "../blocks/event-block";

/** Our choice: some 150 KB, which take a third of a millisecond to unpack for whoever needs one event of them. */
export const frameBlocksMax = 16;

/** The check, and how many blocks. */
const headBytes = 12;
/** Of each block: its position, its events, the first time, and the lengths of five columns. */
const rowBytes = 8 + 4 + 8 + 5 * 4;

/** Blocks of the log as a frame of zstd, so that a file of them is one that `zstd` reads. */
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

/** The blocks of a frame; undefined when it is not what was packed. */
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
		// Damaged: who asks for it says which file it is in.
		return undefined;
	}
}

/** Before each frame stands one that `zstd` skips, with the length of what follows: so a file tells its own frames. */
export const markBytes = 12;
const skippable = 0x184d_2a50;

export function markOf(frame: Uint8Array): Buffer {
	const mark = Buffer.alloc(markBytes);
	mark.writeUInt32LE(skippable, 0);
	mark.writeUInt32LE(markBytes - 8, 4);
	mark.writeUInt32LE(frame.length, 8);
	return mark;
}

/** How long the frame is that follows a mark; undefined when this is none. */
export function frameBytesAfter(bytes: Uint8Array): number | undefined {
	const mark = Buffer.from(bytes);
	return mark.length === markBytes && mark.readUInt32LE(0) === skippable ? mark.readUInt32LE(8) : undefined;
}

const checkOf = (payload: Buffer): bigint => Bun.hash.wyhash(payload.subarray(8));
