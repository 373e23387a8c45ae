import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import type { Removable } from "./rules.anchor";
import { subjectsOfEntry } from "./rules.subjects";
import { bySubject, chainOf } from "./store.search";
import {
	type AuditChainRow,
	type AuditEntryRow,
	type AuditPersonalRow,
	auditChains,
	auditEntries,
	auditPersonal,
	auditSubjects,
} from "./table";

export const findEntry = (work: Work, environmentId: string, id: string): AuditEntryRow | undefined =>
	work.tx
		.select()
		.from(auditEntries)
		.where(and(eq(auditEntries.environmentId, environmentId), eq(auditEntries.id, id)))
		.get();

export const entriesByIds = (work: Work, ids: readonly string[]): AuditEntryRow[] =>
	work.tx
		.select()
		.from(auditEntries)
		.where(and(eq(auditEntries.environmentId, work.actor.environmentId), inArray(auditEntries.id, [...ids])))
		.all();

/** Returns the personal data of entries, in the order of their changes. */
export function personalOf(work: Work, ids: readonly string[]): ReadonlyMap<string, AuditPersonalRow[]> {
	const rows =
		ids.length === 0
			? []
			: work.tx
					.select()
					.from(auditPersonal)
					.where(inArray(auditPersonal.entryId, [...ids]))
					.orderBy(asc(auditPersonal.entryId), asc(auditPersonal.position))
					.all();
	return Map.groupBy(rows, ({ entryId }) => entryId);
}

export const allChains = (work: Work): AuditChainRow[] =>
	work.tx.select().from(auditChains).orderBy(asc(auditChains.environmentId)).all();

/** Returns the entries of a chain with personal data of a person or company. */
export function entriesAbout(
	work: Work,
	environmentId: string,
	subjectId: string,
	afterId: string,
	rowsMax: number,
): string[] {
	const about = bySubject(work, environmentId, subjectId, undefined);
	return work.tx
		.selectDistinct({ id: auditEntries.id, serial: auditSubjects.entry })
		.from(auditSubjects)
		.innerJoin(auditEntries, eq(auditEntries.serial, auditSubjects.entry))
		.where(and(about.where, about.bound(gt, afterId)))
		.orderBy(asc(auditSubjects.entry))
		.limit(rowsMax)
		.all()
		.map(({ id }) => id);
}

/** Returns the number of deleted rows. */
export const dropPersonal = (work: Work, entryIds: readonly string[], subjectId: string): number =>
	work.tx
		.update(auditPersonal)
		.set({ salt: null, fields: null, erasedAt: work.machineNow })
		.where(
			and(
				inArray(auditPersonal.entryId, [...entryIds]),
				eq(auditPersonal.subjectId, subjectId),
				sql`${auditPersonal.erasedAt} is null`,
			),
		)
		.returning({ position: auditPersonal.position })
		.all().length;

/** The number of entries of a chain that one purge reads; the next purge continues. */
const purgedMax = 10_000;

/** Returns the last of the oldest entries of each chain that were recorded before an instant of the machine. */
export function lastRecordedBefore(work: Work, before: Instant): Removable {
	const oldest = (environmentId: string, rowsMax: number) =>
		work.tx
			.select({ sequence: auditEntries.sequence, recordedAt: auditEntries.recordedAt })
			.from(auditEntries)
			.where(eq(auditEntries.environmentId, environmentId))
			.orderBy(asc(auditEntries.id))
			.limit(rowsMax)
			.all();
	const isOld = ({ recordedAt }: { readonly recordedAt: Instant }) => recordedAt < before;
	return new Map(
		allChains(work).flatMap(({ environmentId }) => {
			if (!oldest(environmentId, 1).some(isOld)) return [];
			const rows = oldest(environmentId, purgedMax);
			const young = rows.findIndex((row) => !isOld(row));
			const last = rows.at(young === -1 ? -1 : young - 1);
			return last ? [[environmentId, last.sequence] as const] : [];
		}),
	);
}

/** Returns the oldest entries of a chain, in order. */
export const oldestEntries = (work: Work, environmentId: string, rowsMax: number): AuditEntryRow[] =>
	work.tx
		.select()
		.from(auditEntries)
		.where(eq(auditEntries.environmentId, environmentId))
		.orderBy(asc(auditEntries.id))
		.limit(rowsMax)
		.all();

/** Deletes the entries up to and including `last`. The chain then begins after it. */
export function removeUntil(work: Work, entries: readonly AuditEntryRow[], last: AuditEntryRow): void {
	const { environmentId, id, sequence, hash } = last;
	work.tx
		.update(auditChains)
		.set({ sealedSequence: sequence, sealedHash: hash })
		.where(eq(auditChains.environmentId, environmentId))
		.run();
	const chain = chainOf(work, environmentId);
	for (const entry of entries)
		for (const [key, entityType] of subjectsOfEntry(entry))
			work.tx
				.delete(auditSubjects)
				.where(
					and(
						eq(auditSubjects.chain, chain),
						eq(auditSubjects.key, key),
						eq(auditSubjects.entry, entry.serial),
						eq(auditSubjects.entityType, entityType),
					),
				)
				.run();
	const ids = entries.map((entry) => entry.id);
	work.tx.delete(auditPersonal).where(inArray(auditPersonal.entryId, ids)).run();
	work.tx
		.delete(auditEntries)
		.where(and(eq(auditEntries.environmentId, environmentId), lte(auditEntries.id, id)))
		.run();
}
