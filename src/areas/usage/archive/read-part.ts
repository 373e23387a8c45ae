import { closeSync, openSync, readSync } from "node:fs";
import { codeOf } from "../../../kernel/errors";

/** Returns a part of a file, as far as the file has it; undefined if there is no such file. */
export function readPart(path: string, offset: number, bytes: number): Uint8Array | undefined {
	const fd = openIfThere(path);
	if (fd === undefined) return undefined;
	try {
		const part = new Uint8Array(bytes);
		let read = 0;
		while (read < bytes) {
			const more = readSync(fd, part, read, bytes - read, offset + read);
			if (more === 0) break;
			read += more;
		}
		return part.subarray(0, read);
	} finally {
		closeSync(fd);
	}
}

function openIfThere(path: string): number | undefined {
	try {
		return openSync(path, "r");
	} catch (error) {
		if (codeOf(error) === "ENOENT") return undefined;
		throw error;
	}
}
