import { chownSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Instant } from "../kernel/clock";
import { writeWhole } from "../kernel/storage/disk";

/** The result of the last `tollgate check` of a data folder, for the metrics and the status page. */
const LastCheck = Type.Object({
	at: Type.Unsafe<Instant>(Type.Integer({ minimum: 0 })),
	/** The number of findings; 0 for a sound folder. */
	findings: Type.Integer({ minimum: 0 }),
	/** Whether it has also rated again what was invoiced (`--billing`). */
	billing: Type.Boolean(),
	tookMs: Type.Number(),
});
export type LastCheck = Static<typeof LastCheck>;

const pathOf = (folder: string): string => join(folder, "last-check.json");

/** Returns undefined for a folder that was never checked, and for a damaged record. */
export function readLastCheck(folder: string): LastCheck | undefined {
	const path = pathOf(folder);
	if (!existsSync(path)) return undefined;
	try {
		const read: unknown = JSON.parse(readFileSync(path, "utf8"));
		return Value.Check(LastCheck, read) ? read : undefined;
	} catch {
		return undefined;
	}
}

/** Records a check, for the owner of the folder: an administrator may run the command. Throws the system's error. */
export function noteLastCheck(folder: string, check: LastCheck): void {
	writeWhole(pathOf(folder), JSON.stringify(check));
	const { uid, gid } = statSync(folder);
	if (process.getuid?.() === 0) chownSync(pathOf(folder), uid, gid);
}
