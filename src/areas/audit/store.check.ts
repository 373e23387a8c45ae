import { and, asc, eq, gt, sql } from "drizzle-orm";
import { packId } from "../../kernel/storage/packed-id";
import type { Transaction, Work } from "../../kernel/work";
import { type AuditEntryRow, type AuditPersonalRow, auditEntries, auditPersonal, auditSubjects } from "./table";

export { allChains } from "./store";

const { placeholder } = sql;

/** An entry has up to 256 KiB, so a page has a few megabytes at most. */
const entriesMax = 50;

const entries = (tx: Transaction) =>
	tx
		.select()
		.from(auditEntries)
		.where(and(eq(auditEntries.environmentId, placeholder("environmentId")), gt(auditEntries.id, placeholder("after"))))
		.orderBy(asc(auditEntries.id))
		.limit(entriesMax)
		.prepare();

/** Returns entries of a chain, in order, after an entry. */
export const entriesAfter = (work: Work, environmentId: string, after: string): AuditEntryRow[] =>
	work.prepared(entries).all({ environmentId: packId(environmentId), after });

export type PersonalOfEntry = Pick<AuditPersonalRow, "position" | "salt" | "fields" | "erasedAt">;

const personal = (tx: Transaction) =>
	tx
		.select({
			position: auditPersonal.position,
			salt: auditPersonal.salt,
			fields: auditPersonal.fields,
			erasedAt: auditPersonal.erasedAt,
		})
		.from(auditPersonal)
		.where(eq(auditPersonal.entryId, placeholder("entryId")))
		.orderBy(asc(auditPersonal.position))
		.prepare();

/** Returns them in the order of the entry's changes. */
export const personalOfEntry = (work: Work, entryId: string): PersonalOfEntry[] =>
	work.prepared(personal).all({ entryId: packId(entryId) });

/** Returns the environments that have entries. */
export const environmentsOfEntries = ({ tx }: Work): string[] =>
	tx
		.selectDistinct({ environmentId: auditEntries.environmentId })
		.from(auditEntries)
		.all()
		.map(({ environmentId }) => environmentId);

/** A row of the index that finds entries by the changed entity. */
type Subject = readonly [key: string | Uint8Array, entry: number, entityType: string];

/** At most about a megabyte per page. */
const subjectsMax = 5_000;

const subjects = (tx: Transaction) =>
	tx
		.select({
			key: sql<string | Uint8Array>`${auditSubjects.key}`,
			entry: auditSubjects.entry,
			entityType: auditSubjects.entityType,
		})
		.from(auditSubjects)
		.where(
			and(
				eq(auditSubjects.chain, placeholder("chain")),
				sql`(${auditSubjects.key}, ${auditSubjects.entry}, ${auditSubjects.entityType}) > (${placeholder("key")}, ${placeholder("entry")}, ${placeholder("entityType")})`,
			),
		)
		.orderBy(asc(auditSubjects.key), asc(auditSubjects.entry), asc(auditSubjects.entityType))
		.limit(subjectsMax)
		.prepare();

/** Returns a part of the index of a chain, after a subject. Keys are packed ids. */
export const subjectsAfter = (work: Work, chain: number, [key, entry, entityType]: Subject = ["", 0, ""]): Subject[] =>
	work
		.prepared(subjects)
		.values({ chain, key, entry, entityType })
		.map(([itsKey, itsEntry, itsType]): Subject => [itsKey, itsEntry, itsType]);
