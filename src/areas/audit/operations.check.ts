import { toIso } from "../../kernel/clock";
import { collectorAfter } from "../../kernel/garbage";
import type { Work } from "../../kernel/work";
import { hashOf, personalHashOf, textOf } from "./rules.entry";
import { SubjectsSum } from "./rules.subjects-sum";
import {
	allChains,
	entriesAfter,
	environmentsOfEntries,
	type PersonalOfEntry,
	personalOfEntry,
	subjectsAfter,
} from "./store.check";
import { type AuditChainRow, type AuditEntryRow, accountLevel } from "./table";

/**
 * Checks whether each entry of the audit log follows from the one before it, from its kept beginning to the end that its chain
 * names, and whether entries are found by what they changed. Answers the first finding of each chain.
 */
export function checkAuditLog(work: Work): string[] {
	const chains = allChains(work);
	const known = new Set(chains.map(({ environmentId }) => environmentId));
	return [
		...chains.flatMap((chain) => checkChain(work, chain) ?? []),
		...environmentsOfEntries(work).flatMap((environmentId) =>
			known.has(environmentId) ? [] : [`${nameOf(environmentId)} has no end: the row of its chain is gone; ${remedy}`],
		),
	];
}

const remedy = "restore a backup";

/** Our choice: pages of entries between two collections of garbage, some 20,000 entries. */
const pagesPerCollection = 400;

const nameOf = (environmentId: string): string =>
	environmentId === accountLevel ? "the audit log of accounts" : `the audit log of ${environmentId}`;

function checkChain(work: Work, chain: AuditChainRow): string | undefined {
	const { environmentId, sealedSequence, sealedHash } = chain;
	const name = nameOf(environmentId);
	const subjects = new SubjectsSum();
	const collect = collectorAfter(pagesPerCollection);
	let last = { sequence: sealedSequence, hash: sealedHash, id: "" };
	for (let rows = entriesAfter(work, environmentId, ""); rows.length > 0; ) {
		for (const row of rows) {
			const entry = `entry ${row.sequence} of ${name} (${row.id})`;
			if (row.sequence !== last.sequence + 1) return `${name} lacks entry ${last.sequence + 1}; ${remedy}`;
			if (hashOf(last.hash, entryText(row)) !== row.hash)
				return `${entry} is not what was written, or what it follows is not; ${remedy}`;
			if (!isWhole(row, (id) => personalOfEntry(work, id)))
				return `${entry} does not have the personal data that it was written with; ${remedy}`;
			subjects.addEntry(row);
			last = { sequence: row.sequence, hash: row.hash, id: row.id };
		}
		collect();
		rows = entriesAfter(work, environmentId, last.id);
	}
	if (last.sequence !== chain.sequence || last.hash !== chain.hash)
		return `${name} lacks its end: entry ${last.sequence + 1} to ${chain.sequence}; ${remedy}`;
	return subjects.equals(sumOfSubjects(work, environmentId))
		? undefined
		: `${name} has an entry that cannot be found by what it changed, or is found by something else; ${remedy}`;
}

function sumOfSubjects(work: Work, environmentId: string): SubjectsSum {
	const sum = new SubjectsSum();
	for (let rows = subjectsAfter(work, environmentId, undefined); rows.length > 0; ) {
		for (const { key, entryId, entityType } of rows) sum.add(key, entryId, entityType);
		rows = subjectsAfter(work, environmentId, rows.at(-1));
	}
	return sum;
}

/** The text that the hash covers. */
export const entryText = (row: AuditEntryRow): string =>
	textOf(
		{
			sequence: row.sequence,
			id: row.id,
			environmentId: row.environmentId === accountLevel ? null : row.environmentId,
			accountId: row.accountId,
			at: toIso(row.at),
			recordedAt: toIso(row.recordedAt),
			actor: { type: row.actorType, id: row.actorId, name: row.actorName },
			requestId: row.requestId,
			address: row.address,
			operation: row.operation,
			entityType: row.entityType,
			entityId: row.entityId,
			entityRef: row.entityRef,
			changesCount: row.changesCount,
		},
		row.changes,
	);

const personalHashes = /,"personal":"([0-9a-f]{64})"\}/g;

/** Compares the personal data of an entry with the hashes within it. Erased data leaves a row that says so. */
function isWhole(
	{ id, changes, changesCount }: AuditEntryRow,
	personalOf: (entryId: string) => readonly PersonalOfEntry[],
): boolean {
	const hashes = Array.from(changes.matchAll(personalHashes), ([, hash = ""]) => hash);
	const rows = personalOf(id);
	if (rows.length !== hashes.length) return false;
	// Most entries hold personal data in each of their changes, or in none.
	const positions = hashes.length === 0 || hashes.length === changesCount ? hashes.keys() : positionsOf(changes);
	const expected = [...positions];
	return rows.every(({ position, salt, fields, erasedAt }, at) => {
		if (position !== expected[at]) return false;
		if (salt === null || fields === null) return erasedAt !== null;
		return personalHashOf(salt, fields) === hashes[at];
	});
}

const positionsOf = (changes: string): number[] =>
	(JSON.parse(changes) as ReadonlyArray<{ readonly personal?: string }>).flatMap(({ personal }, position) =>
		personal === undefined ? [] : [position],
	);
