import { toIso } from "../../kernel/clock";
import { assert } from "../../kernel/errors";
import { packId } from "../../kernel/storage/packed-id";
import { packedEntryMin, packedPersonalMin, packedSubjectsMin, packText } from "../../kernel/storage/packed-text";
import type { Database, Work } from "../../kernel/work";
import { actorTypeOf } from "../outbox/event-types";
import { type Note, noteChanges } from "./notes";
import {
	type ChangeText,
	changesCharactersMax,
	changesMax,
	cut,
	type Fields,
	hashOf,
	mayNeedCut,
	merged,
	personalHashOf,
	tellsNothing,
	textOf,
} from "./rules.entry";
import { isOfAccounts, isPart } from "./rules.names";
import { Subjects, storedSubjects } from "./rules.subjects";
import { subjectTypeOf } from "./rules.tables";
import { accountLevel } from "./table";

/** Records the changes of a unit of work at its end, in its transaction. */
export type Record = (work: Work) => void;

/**
 * Keeps the audit log of all changes that a connection makes to main.db. If the entry cannot be written, the change
 * fails too. `onRecorded` runs after an entry is committed.
 */
export function recordChanges(db: Database, onRecorded?: () => void): Record {
	const take = noteChanges(db.$client);
	const statements = statementsOf(db);
	return (work) => {
		const notes = take();
		if (notes.length === 0) return;
		for (const [chain, its] of byChain(work, notes)) writeEntry(statements, work, chain, its);
		if (onRecorded) work.afterCommit(onRecorded);
	};
}

type Statements = ReturnType<typeof statementsOf>;

/** Raw statements, because they run with each write. */
const statementsOf = ({ $client }: Database) => ({
	head: $client.prepare<{ id: string; sequence: number; hash: string }, [string | Uint8Array]>(
		"SELECT id, sequence, hash FROM audit_chains WHERE environment_id = ?",
	),
	moveHead: $client.prepare<{ number: number }, [string | Uint8Array, string, number, string]>(
		"INSERT INTO audit_chains (environment_id, id, sequence, hash) VALUES (?, ?, ?, ?) ON CONFLICT (environment_id) DO UPDATE SET id = excluded.id, sequence = excluded.sequence, hash = excluded.hash RETURNING number",
	),
	entry: $client.prepare(
		"INSERT INTO audit_entries (id, environment_id, sequence, account_id, at, recorded_at, actor_type, actor_id, actor_name, request_id, address, operation, entity_type, entity_id, entity_ref, changes, changes_count, subjects, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	),
	subject: $client.prepare(
		'INSERT INTO audit_subjects (chain, "key", entry, entity_type) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
	),
	personal: $client.prepare(
		"INSERT INTO audit_personal (entry_id, position, subject_id, salt, fields) VALUES (?, ?, ?, ?, ?)",
	),
	keyName: $client.prepare<{ name: string }, [string]>("SELECT display_name AS name FROM api_keys WHERE id = ?"),
	userName: $client.prepare<{ name: string }, [string]>("SELECT coalesce(name, email) AS name FROM users WHERE id = ?"),
	personOfSession: $client.prepare<{ name: string | null }, [string]>(
		"SELECT person_id AS name FROM customer_sessions WHERE id = ?",
	),
	accountOfUser: $client.prepare<{ id: string }, [string]>(
		"SELECT account_id AS id FROM memberships WHERE user_id = ? ORDER BY id LIMIT 1",
	),
});

/** Most transactions change data of one environment. */
function byChain({ actor }: Work, notes: readonly Note[]): ReadonlyMap<string, readonly Note[]> {
	const chains = new Map<string, Note[]>();
	for (const note of notes) {
		const chain = note.environmentId ?? (isOfAccount(note) ? accountLevel : actor.environmentId);
		const its = chains.get(chain);
		if (its) its.push(note);
		else chains.set(chain, [note]);
	}
	return chains;
}

const isOfAccount = ({ table }: Note): boolean =>
	table.hasAccount || isOfAccounts(table.name) || table.owner?.entityType === "User";

function writeEntry(statements: Statements, work: Work, chain: string, notes: readonly Note[]): void {
	const changes = coalesced(notes);
	const main = changes.find(({ note }) => !isPart(note.table.name)) ?? changes[0];
	// Created and removed in the same transaction: nothing changed.
	if (!main) return;
	const shown = textsOf(changes);
	const environmentId = packId(chain);
	const head = statements.head.get(environmentId) ?? { id: "", sequence: 0, hash: "" };
	const id = idAfter(head.id, work.newId());
	const entry = {
		sequence: head.sequence + 1,
		id,
		environmentId: chain === accountLevel ? null : chain,
		accountId: chain === accountLevel ? accountOf(statements, work, notes) : null,
		at: toIso(work.now),
		recordedAt: toIso(work.machineNow),
		actor: actorOf(statements, work),
		requestId: work.cause.requestId ?? null,
		address: work.cause.address ?? null,
		operation: work.cause.operation ?? "scheduler",
		entityType: main.note.table.entityType,
		entityId: main.note.entityId,
		entityRef: main.note.entityRef,
		changesCount: changes.length,
	};
	const text = `[${shown.map((change) => change.text).join()}]`;
	const hash = hashOf(head.hash, textOf(entry, text));
	const { actor } = entry;
	const subjects = subjectsOf(shown.map(({ note }) => note));
	const { lastInsertRowid: serial } = statements.entry.run(
		id,
		environmentId,
		entry.sequence,
		entry.accountId,
		work.now,
		work.machineNow,
		actor.type,
		actor.id,
		actor.name,
		entry.requestId && packId(entry.requestId),
		entry.address,
		entry.operation,
		entry.entityType,
		packId(entry.entityId),
		entry.entityRef,
		packText(text, packedEntryMin),
		entry.changesCount,
		packText(storedSubjects(subjects, text), packedSubjectsMin),
		Buffer.from(hash, "hex"),
	);
	const moved = statements.moveHead.get(environmentId, id, entry.sequence, hash);
	assert(moved, "the statement returns the chain that it writes");
	shown.forEach(({ personal, salt, note }, position) => {
		if (personal === null || note.subjectId === null || salt === null) return;
		statements.personal.run(
			packId(id),
			position,
			packId(note.subjectId),
			packId(salt),
			packText(personal, packedPersonalMin),
		);
	});
	for (const [key, type] of subjects.list) statements.subject.run(moved.number, packId(key), serial, type);
}

/** Ids have the order of the chain, even if two processes write within a millisecond or the machine's clock was set back. */
function idAfter(last: string, id: string): string {
	if (id > last) return id;
	const next = (BigInt(`0x${last.replaceAll("-", "")}`) + 1n).toString(16).padStart(32, "0");
	return next.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

interface Change {
	readonly note: Note;
	readonly fields: string;
	readonly personal: string | null;
}

/** Merges several changes of a row into one. */
function coalesced(notes: readonly Note[]): Change[] {
	const changes = new Map<string, Change>();
	for (const note of notes) {
		const key = `${note.table.name} ${note.entityId}`;
		const former = changes.get(key);
		const next = former ? together(former, note) : note;
		// Moves a row that was removed and written again to the end.
		if (!next) changes.delete(key);
		else if ("note" in next) changes.set(key, next);
		else changes.set(key, { note: next, fields: next.fields, personal: next.personal });
	}
	return [...changes.values()];
}

function together(former: Change, note: Note): Change | undefined {
	const actions = [former.note.action, note.action] as const;
	const change = merged(actions, [parse(former.fields), parse(note.fields)]);
	const personal = merged(actions, [parse(former.personal ?? "{}"), parse(note.personal ?? "{}")]);
	const action = change?.action ?? personal?.action;
	if (action === undefined) return undefined;
	const fieldsText = JSON.stringify(change?.fields ?? {});
	const personalText = JSON.stringify(personal?.fields ?? {});
	return {
		note: { ...note, action, entityRef: note.entityRef ?? former.note.entityRef },
		fields: fieldsText,
		personal: personalText === "{}" ? null : personalText,
	};
}

const parse = (fields: string): Fields => JSON.parse(fields);

interface Shown {
	readonly note: Note;
	readonly text: string;
	readonly personal: string | null;
	readonly salt: string | null;
}

/** Returns the changes that an entry shows. */
function textsOf(changes: readonly Change[]): Shown[] {
	const shown: Shown[] = [];
	let characters = 0;
	for (const change of changes.slice(0, changesMax)) {
		const next = shownOf(change);
		characters += next.text.length + (next.personal?.length ?? 0);
		if (shown.length > 0 && characters > changesCharactersMax) break;
		shown.push(next);
	}
	return shown;
}

function shownOf({ note, fields, personal }: Change): Shown {
	const isPersonal = personal !== null && note.subjectId !== null && !tellsNothing(personal);
	const open = isPersonal || personal === null ? fields : joined(fields, personal);
	const kept = isPersonal ? bounded(personal) : null;
	const salt = kept === null ? null : crypto.randomUUID();
	const { table, entityId, entityRef, action } = note;
	const head = JSON.stringify({
		...{ entityType: table.entityType, entityId },
		...(entityRef !== null && { entityRef }),
		action,
	} satisfies Omit<ChangeText, "fields">).slice(0, -1);
	const hash = kept === null || salt === null ? "" : `,"personal":"${personalHashOf(salt, kept)}"`;
	return { note, text: `${head},"fields":${bounded(open)}${hash}}`, personal: kept, salt };
}

const joined = (one: string, other: string): string => {
	if (one === "{}") return other;
	return other === "{}" ? one : `${one.slice(0, -1)},${other.slice(1)}`;
};

const bounded = (fields: string): string => (mayNeedCut(fields) ? JSON.stringify(cut(parse(fields))) : fields);

/** Returns the keys by which an entry is found. */
function subjectsOf(notes: readonly Note[]): Subjects {
	const subjects = new Subjects();
	for (const { table, entityId, entityRef, customerId, ownerId, subjectId } of notes) {
		subjects.add(table.entityType, table.entityType);
		subjects.add(entityId, table.entityType);
		subjects.add(entityRef, table.entityType);
		subjects.add(customerId, "Customer");
		subjects.add(subjectId, subjectTypeOf(table));
		if (table.owner) subjects.add(ownerId, table.owner.entityType);
	}
	return subjects;
}

function actorOf({ userName, keyName, personOfSession }: Statements, { actor, cause }: Work) {
	const { kind, id } = cause.actor ?? actor;
	const type = actorTypeOf({ kind });
	if (kind === "PORTAL") return { type, id, name: personOfSession.get(id)?.name ?? null };
	if (type === "SYSTEM") return { type, id, name: cause.operator ?? null };
	return { type, id, name: (type === "USER" ? userName : keyName).get(id)?.name ?? null };
}

function accountOf({ accountOfUser }: Statements, { actor, cause }: Work, notes: readonly Note[]): string | null {
	const named = notes.find(({ accountId }) => accountId !== null)?.accountId;
	if (named) return named;
	if (actor.accountId !== "") return actor.accountId;
	const user = cause.actor?.id ?? notes.find(({ table }) => table.owner?.entityType === "User")?.ownerId;
	return (user && accountOfUser.get(user)?.id) || null;
}
