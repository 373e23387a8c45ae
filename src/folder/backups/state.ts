import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Instant } from "../../kernel/clock";
import { writeWhole } from "../../kernel/storage/disk";

const At = Type.Unsafe<Instant>(Type.Integer({ minimum: 0 }));
const Name = Type.String({ maxLength: 100 });

/** A check with more findings keeps the first ones. */
const findingsMax = 20;
const textMax = 2_000;

/** The record of backups in the data folder, for the schedule, the metrics and the status page. */
const BackupState = Type.Object({
	backup: Type.Optional(Type.Object({ at: At, name: Name, bytes: Type.Integer(), tookMs: Type.Number() })),
	/** The last backup that was restored into a scratch folder and checked. */
	check: Type.Optional(Type.Object({ at: At, name: Name, findings: Type.Array(Type.String()), tookMs: Type.Number() })),
	/** The last failure; removed by a success. `times`: how often in a row. */
	failure: Type.Optional(Type.Object({ at: At, message: Type.String(), times: Type.Integer() })),
});
export type BackupState = Static<typeof BackupState>;

const stateName = "backups.json";
const statePath = (folder: string): string => join(folder, stateName);

/** Reads the record. A missing or damaged one is empty: the destination has the backups. */
export function readBackupState(folder: string): BackupState {
	const path = statePath(folder);
	if (!existsSync(path)) return {};
	try {
		const read: unknown = JSON.parse(readFileSync(path, "utf8"));
		return Value.Check(BackupState, read) ? read : {};
	} catch {
		return {};
	}
}

/** Changes parts of the record. */
export function noteBackupState(
	folder: string,
	change: Omit<BackupState, "failure"> & { readonly failure?: BackupState["failure"] | undefined },
): void {
	const { check, failure, ...others } = { ...readBackupState(folder), ...change };
	const state: BackupState = {
		...others,
		...(check && { check: { ...check, findings: check.findings.slice(0, findingsMax).map(shortened) } }),
		...(failure && { failure: { ...failure, message: shortened(failure.message) } }),
	};
	writeWhole(statePath(folder), JSON.stringify(state, null, "\t"));
}

const shortened = (text: string): string => text.slice(0, textMax);
