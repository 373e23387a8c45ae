import type { Database as SqliteFile } from "bun:sqlite";

/** A member of the value sets of one meter and one subject. */
export interface MemberPlace {
	readonly span: number;
	readonly bucket: number;
	readonly value: string;
}

/** A replacement of the members of a meter's sets. Equal members stay equal, so that the sets keep their sizes. */
export interface MembersOrder {
	readonly subject: number;
	readonly counter: number;
	/** The member before the first one to replace; null: from the beginning. */
	readonly after: MemberPlace | null;
	readonly replace: (text: string) => string;
}

/** The members that one step reads, about ten milliseconds of work. */
const membersMax = 1000;

/**
 * Replaces a piece of the members, inside the caller's transaction; returns the last member it read, undefined at the
 * end. If one value of a set was replaced before and counted again after the erasure, both become one member.
 */
export function replaceMembers(
	usage: SqliteFile,
	{ subject, counter, after, replace }: MembersOrder,
): MemberPlace | undefined {
	const first = after ?? { span: -1, bucket: 0, value: "" };
	const members = usage
		.query<MemberPlace, [number, number, number, number, string, number]>(
			`SELECT span, bucket, value FROM usage_values WHERE counter_id = ? AND subject_id = ?
			AND (span, bucket, value) > (?, ?, ?) ORDER BY span, bucket, value LIMIT ?`,
		)
		.all(counter, subject, first.span, first.bucket, first.value, membersMax);
	const key = "counter_id = ? AND subject_id = ? AND span = ? AND bucket = ?";
	const change = usage.query<unknown, [string, number, number, number, number, string]>(
		`UPDATE OR IGNORE usage_values SET value = ? WHERE ${key} AND value = ?`,
	);
	const remove = usage.query<unknown, [number, number, number, number, string]>(
		`DELETE FROM usage_values WHERE ${key} AND value = ?`,
	);
	const shrink = usage.query<unknown, [number, number, number, number]>(
		`UPDATE usage_totals SET state = CAST(state AS INTEGER) - 1 WHERE ${key}`,
	);
	for (const { span, bucket, value } of members) {
		const replaced = replace(value);
		if (replaced === value || change.run(replaced, counter, subject, span, bucket, value).changes > 0) continue;
		remove.run(counter, subject, span, bucket, value);
		shrink.run(counter, subject, span, bucket);
	}
	return members.length === membersMax ? members.at(-1) : undefined;
}
