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
 * Checks that each entry follows from the one before it, from the start of the chain to its recorded end, and that the
 * index contains what each entry changed. Returns the first finding of each chain.
 */
export function checkAuditLog(work: Work): string[] {
	const chains = allChains(work);
	const known = new Set(chains.map(({ environmentId }) => environmentId));
	return [
		...chains.flatMap((chain) => checkChain(work, chain) ?? []),
		...environmentsOfEntries(work).flatMap((environmentId) =>
			known.has(environmentId)
				? []
				: [`${nameOf(environmentId)} has no end: the row of its chain is missing; ${remedy}`],
		),
	];
}

const remedy = "restore a backup";

/** The characters of changes between two garbage collections: about 10,000 entries of renewals, or 100 of imports. */
const charactersPerCollection = 32 * 1024 * 1024;

const nameOf = (environmentId: string): string =>
	environmentId === accountLevel ? "the audit log of accounts" : `the audit log of ${environmentId}`;

function checkChain(work: Work, chain: AuditChainRow): string | undefined {
	const { environmentId, sealedSequence, sealedHash } = chain;
	const name = nameOf(environmentId);
	const subjects = new SubjectsSum();
	const collect = collectorAfter(charactersPerCollection);
	let last = { sequence: sealedSequence, hash: sealedHash, id: "" };
	for (let rows = entriesAfter(work, environmentId, ""); rows.length > 0; ) {
		for (const row of rows) {
			const entry = `entry ${row.sequence} of ${name} (${row.id})`;
			if (row.sequence !== last.sequence + 1) return `${name} lacks entry ${last.sequence + 1}; ${remedy}`;
			if (hashOf(last.hash, entryText(row)) !== row.hash)
				return `${entry} was changed, or the entry before it was; ${remedy}`;
			if (!isWhole(row, (id) => personalOfEntry(work, id)))
				return `${entry} has other personal data than it was written with; ${remedy}`;
			subjects.addEntry(row);
			collect(row.changes.length);
			last = { sequence: row.sequence, hash: row.hash, id: row.id };
		}
		rows = entriesAfter(work, environmentId, last.id);
	}
	if (last.sequence !== chain.sequence || last.hash !== chain.hash)
		return `${name} lacks its end: entry ${last.sequence + 1} to ${chain.sequence}; ${remedy}`;
	return subjects.equals(sumOfSubjects(work, chain.number))
		? undefined
		: `${name} has an entry whose index is wrong; ${remedy}`;
}

function sumOfSubjects(work: Work, chain: number): SubjectsSum {
	const sum = new SubjectsSum();
	for (let rows = subjectsAfter(work, chain, undefined); rows.length > 0; ) {
		for (const [key, entry, entityType] of rows) sum.add(key, entry, entityType);
		rows = subjectsAfter(work, chain, rows.at(-1));
	}
	return sum;
}

/** Returns the text that the hash covers. */
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

/** Compares an entry's personal data with the hashes in the entry. Erased data leaves a row that marks the erasure. */
function isWhole(
	{ id, changes, changesCount }: AuditEntryRow,
	personalOf: (entryId: string) => readonly PersonalOfEntry[],
): boolean {
	const hashes = Array.from(changes.matchAll(personalHashes), ([, hash = ""]) => hash);
	const rows = personalOf(id);
	if (rows.length !== hashes.length) return false;
	// Most entries have personal data in all of their changes or in none.
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
