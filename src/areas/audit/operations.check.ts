import { toIso } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { hashOf, personalHashOf, textOf } from "./rules.entry";
import { allChains, type EntryFilter, findEntries, personalOf } from "./store";
import { type AuditChainRow, type AuditEntryRow, type AuditPersonalRow, accountLevel } from "./table";

/** Our choice: so many entries are held in memory at once. */
const piece = 500;

/**
 * Whether each entry of the audit log follows from the one before it, from where it is kept on: of each chain the first that does
 * not is named. Empty when all do.
 */
export const checkAuditLog = (work: Work): string[] =>
	allChains(work).flatMap((chain) => checkChain(work, chain) ?? []);

function checkChain(work: Work, chain: AuditChainRow): string | undefined {
	const { environmentId, sealedSequence, sealedHash } = chain;
	const named = environmentId === accountLevel ? "the audit log of accounts" : `the audit log of ${environmentId}`;
	const filter: EntryFilter = { environmentId };
	let last = { sequence: sealedSequence, hash: sealedHash, id: undefined as string | undefined };
	for (;;) {
		const { rows } = findEntries(work, filter, { beyond: last.id, isForward: true, rowsMax: piece });
		if (rows.length === 0) break;
		const personal = personalOf(
			work,
			rows.map(({ id }) => id),
		);
		for (const row of rows) {
			if (row.sequence !== last.sequence + 1) return `${named} lacks entry ${last.sequence + 1}; restore a backup`;
			if (hashOf(last.hash, entryText(row)) !== row.hash)
				return `entry ${row.sequence} of ${named} (${row.id}) is not what was written, or what it follows is not; restore a backup`;
			if (!isWhole(row, personal.get(row.id) ?? []))
				return `entry ${row.sequence} of ${named} (${row.id}) does not have the personal data that it was written with; restore a backup`;
			last = { sequence: row.sequence, hash: row.hash, id: row.id };
		}
	}
	if (last.sequence !== chain.sequence || last.hash !== chain.hash)
		return `${named} lacks its end: entry ${last.sequence + 1} to ${chain.sequence}; restore a backup`;
	return undefined;
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

/** What was erased was there once, and says so. */
function isWhole({ changes }: AuditEntryRow, personal: readonly AuditPersonalRow[]): boolean {
	const hashes = (JSON.parse(changes) as ReadonlyArray<{ readonly personal?: string }>).map(
		(change) => change.personal,
	);
	const byPosition = new Map(personal.map((row) => [row.position, row]));
	return hashes.every((hash, position) => {
		const row = byPosition.get(position);
		if (hash === undefined) return row === undefined;
		if (!row) return false;
		if (row.salt === null || row.fields === null) return row.erasedAt !== null;
		return personalHashOf(row.salt, row.fields) === hash;
	});
}
