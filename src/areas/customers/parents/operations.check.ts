import { toIso } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { selectByIds } from "../store";
import type { CustomerParentRow, CustomerRow } from "../table";
import { selectParentsAfter, selectPlacedAfter } from "./store";

/**
 * Yields customers whose parents are not as the rules allow: one that bills to a parent that it does not have, a second level, a parent
 * without a record since when, and a record that ends before it starts or overlaps another.
 */
export function* checkParents(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const rows = selectPlacedAfter(work, after);
		const last = rows.at(-1);
		if (!last) return;
		const ids = rows.flatMap(({ parentCustomerId }) => parentCustomerId ?? []);
		const parents = new Map(selectByIds(work, ids).map((parent) => [parent.id, parent]));
		const records = Map.groupBy(selectParentsAfter(work, after, last.id), ({ customerId }) => customerId);
		for (const row of rows) {
			yield* parentDifferences(row, parents.get(row.parentCustomerId ?? ""));
			yield* recordDifferences(row, records.get(row.id) ?? []);
		}
		after = last.id;
	}
}

function* parentDifferences(
	{ refId, parentCustomerId, billsTo, archivedAt }: CustomerRow,
	parent: CustomerRow | undefined,
): Generator<string> {
	const named = `the customer ${refId}`;
	if (parentCustomerId === null) {
		if (billsTo !== null) yield `${named}: it bills to its parent, and has none`;
		return;
	}
	if (!parent) yield `${named}: its parent does not exist`;
	else if (parent.parentCustomerId !== null) yield `${named}: its parent ${parent.refId} has a parent itself`;
	else if (parent.archivedAt !== null && archivedAt === null) yield `${named}: its parent ${parent.refId} is archived`;
}

function* recordDifferences(
	{ refId, parentCustomerId }: CustomerRow,
	records: readonly CustomerParentRow[],
): Generator<string> {
	const named = `the customer ${refId}`;
	const current = records.filter(({ endsAt }) => endsAt === null).map(({ parentId }) => parentId);
	if (current.length > 1 || (current[0] ?? null) !== parentCustomerId)
		yield `${named}: the record of its parents does not end with its parent`;
	let until: number | null = null;
	for (const { startsAt, endsAt } of records) {
		const from: number = startsAt ?? Number.MIN_SAFE_INTEGER;
		if (until !== null && from < until)
			yield `${named}: it belonged to two parents ${startsAt === null ? "at first" : `at ${toIso(startsAt)}`}`;
		if (endsAt !== null && endsAt < from) yield `${named}: it left a parent before it belonged to it`;
		until = endsAt ?? Number.MAX_SAFE_INTEGER;
	}
}
