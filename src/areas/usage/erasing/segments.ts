import type { Database as SqliteFile } from "bun:sqlite";
import { segmentationId } from "../../pricing/models/segment";
import type { MeterDefinition } from "../rules";

/** The segments that one step reads, about ten milliseconds of work. */
const segmentsMax = 1000;

/** A replacement of the values in the names of one subject's segments. */
export interface SegmentsOrder {
	readonly subject: number;
	/** The ways in which the environment's prices divide usage. */
	readonly segmentations: ReadonlyArray<NonNullable<MeterDefinition["segments"]>>;
	/** The segment before the first one to rename. */
	readonly after: number;
	readonly replace: (dimension: string, text: string) => string;
}

/**
 * Renames a piece of the segments, inside the caller's transaction; returns the last segment it read, undefined at the end.
 * Equal values become equal tokens, so segments keep their usage.
 */
export function renameSegments(
	usage: SqliteFile,
	{ subject, segmentations, after, replace }: SegmentsOrder,
): number | undefined {
	const dimensionsOf = new Map(segmentations.map((one) => [segmentationId(one), one.groupBy]));
	const segments = usage
		.query<{ id: number; name: string }, [number, number, number]>(
			"SELECT id, name FROM usage_segments WHERE subject_id = ? AND id > ? ORDER BY id LIMIT ?",
		)
		.all(subject, after, segmentsMax);
	// If a value was counted again after its erasure, its former name is taken.
	const rename = usage.query<unknown, [string, number]>("UPDATE OR IGNORE usage_segments SET name = ? WHERE id = ?");
	for (const { id, name } of segments) {
		const at = name.indexOf(" ");
		const dimensions = dimensionsOf.get(name.slice(0, at)) ?? [];
		const [variant = "", ...values]: string[] = JSON.parse(name.slice(at + 1));
		const replaced = values.map((text, place) => (text === "" ? text : replace(dimensions[place] ?? "", text)));
		const nameWith = (end: string) =>
			`${name.slice(0, at)} ${JSON.stringify([variant, ...replaced.slice(0, -1), `${replaced.at(-1) ?? ""}${end}`])}`;
		if (values.length === 0 || nameWith("") === name) continue;
		if (rename.run(nameWith(""), id).changes === 0) rename.run(nameWith(`-${id}`), id);
	}
	return segments.length === segmentsMax ? segments.at(-1)?.id : undefined;
}
