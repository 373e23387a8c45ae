import { pageSizeDefault } from "../../../kernel/page";
import { queryValues } from "../../../kernel/query";
import type { Work } from "../../../kernel/work";
import type { TreeQuery } from "../schema";
import { selectTypes } from "../store";
import type { EntityTypeRow } from "../table";
import { comparePlaces, decodePlace, type TreePlace } from "./rules.cursor";
import { capabilitiesOfCustomer, type SortedRow, selectSorted, type TreeSort } from "./store";

/** A page examines at most this many budgets, some milliseconds. A page of a rare match may be shorter, and has a next page. */
const examinedMax = 1_000;

/** A part of the tree costs one more read for each budget, so that a page takes about as long. */
const examinedWithinMax = 300;

/** The rows that one statement reads. */
const rowsAtOnce = 100;

interface SortedPage {
	readonly rows: readonly SortedRow[];
	/** Null on the last page. */
	readonly next: TreePlace | null;
}

/**
 * Reads a page of a customer's budgets in their order. It merges the orders of the capabilities, each along an index. `isWithin` limits it
 * to a part of the tree.
 */
export function sortedPage(
	work: Work,
	customerId: string,
	capabilityIds: readonly string[] | undefined,
	query: TreeQuery,
	isWithin?: (assignmentId: string) => boolean,
): SortedPage {
	const sort = orderOf(query, capabilityIds !== undefined);
	const after = query.after === undefined ? undefined : decodePlace(query.after);
	const streams = (capabilityIds ?? capabilitiesOfCustomer(work, customerId)).map((capabilityId) =>
		rowsAfter(work, { customerId, capabilityId, ...sort }, after),
	);
	const isShown = filterOf(query, selectTypes(work), capabilityIds !== undefined);
	const limit = query.limit === undefined ? pageSizeDefault : Number(query.limit);
	const rows: SortedRow[] = [];
	const most = isWithin ? examinedWithinMax : examinedMax;
	let examined = 0;
	let last: TreePlace | undefined;
	for (const row of merged(streams, sort.isAscending)) {
		if (rows.length === limit || examined === most) return { rows, next: placeOf(last) };
		if (isShown(row) && (!isWithin || isWithin(row.id))) rows.push(row);
		examined += 1;
		last = row;
	}
	return { rows, next: null };
}

const placeOf = (row: TreePlace | undefined): TreePlace | null => (row ? { value: row.value, id: row.id } : null);

/** Without usage data, sorts by usage are sorts by creation. */
function orderOf({ sortBy = "utilization", order }: TreeQuery, hasUsage: boolean) {
	const needsUsage = sortBy === "utilization" || sortBy === "currentUsage" || sortBy === "usageLimit";
	const by: TreeSort = needsUsage && !hasUsage ? "createdAt" : sortBy;
	return { sortBy: by, isAscending: order === "asc" };
}

function* rowsAfter(
	work: Work,
	order: Parameters<typeof selectSorted>[1],
	first: TreePlace | undefined,
): Generator<SortedRow> {
	for (let after = first; ; ) {
		const rows = selectSorted(work, order, after, rowsAtOnce);
		yield* rows;
		const last = rows.at(-1);
		if (!last || rows.length < rowsAtOnce) return;
		after = last;
	}
}

/** Merges sorted streams into one. */
function* merged(streams: ReadonlyArray<Generator<SortedRow>>, isAscending: boolean): Generator<SortedRow> {
	const heads = streams.flatMap((stream) => {
		const { value } = stream.next();
		return value ? [{ stream, row: value as SortedRow }] : [];
	});
	while (heads.length > 0) {
		let at = 0;
		for (const [index, { row }] of heads.entries()) {
			const first = heads[at];
			if (first && comparePlaces(row, first.row, isAscending) < 0) at = index;
		}
		const head = heads[at];
		if (!head) return;
		yield head.row;
		const { value } = head.stream.next();
		if (value) head.row = value as SortedRow;
		else heads.splice(at, 1);
	}
}

/** Returns whether a page shows a row. The budgets of archived entities are not shown. */
function filterOf(query: TreeQuery, types: readonly EntityTypeRow[], hasUsage: boolean) {
	const typeRefs = queryValues(query.entityTypeIds);
	const typeIds = typeRefs && new Set(types.flatMap(({ id, refId }) => (typeRefs.includes(refId) ? id : [])));
	const search = query.entityIdSearch && lowerAscii(query.entityIdSearch);
	const minimum = query.minUtilization === undefined ? undefined : Number(query.minUtilization);
	return ({ typeId, entityRef, displayName, archivedAt, scopeSize, utilization }: SortedRow): boolean =>
		archivedAt === null &&
		(!typeIds || typeIds.has(typeId)) &&
		(!search || lowerAscii(entityRef).includes(search) || lowerAscii(displayName ?? "").includes(search)) &&
		(minimum === undefined || (hasUsage && utilization !== null && utilization >= minimum)) &&
		(query.scope !== "nodeWide" || scopeSize === 0) &&
		(query.scope !== "scoped" || scopeSize > 0);
}

const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
