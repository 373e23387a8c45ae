import { toIso } from "../../kernel/clock";
import type { Entry } from "./operations";
import { entryText } from "./operations.check";
import type { ChangeText, FieldChange, Fields } from "./rules.entry";
import type { AuditEntry } from "./schema";
import { accountLevel } from "./table";

type Change = AuditEntry["changes"][number];

export function viewEntry({ row, personal }: Entry): AuditEntry {
	const changes = JSON.parse(row.changes) as readonly ChangeText[];
	return {
		id: row.id,
		sequence: row.sequence,
		environmentId: row.environmentId === accountLevel ? null : row.environmentId,
		at: toIso(row.at),
		recordedAt: toIso(row.recordedAt),
		actor: { type: row.actorType, id: row.actorId, name: row.actorName },
		requestId: row.requestId,
		address: row.address,
		operation: row.operation,
		entityType: row.entityType,
		entityId: row.entityId,
		entityRef: row.entityRef,
		changes: changes.map((change, at) =>
			viewChange(
				change,
				personal.find(({ position }) => position === at),
			),
		),
		changesCount: row.changesCount,
		hash: row.hash,
	};
}

function viewChange(change: ChangeText, personal: Entry["personal"][number] | undefined): Change {
	const apart = personal?.fields ? (JSON.parse(personal.fields) as Fields) : {};
	return {
		entityType: change.entityType,
		entityId: change.entityId,
		entityRef: change.entityRef ?? null,
		action: change.action,
		fields: Object.fromEntries(
			Object.entries({ ...change.fields, ...apart }).map(([name, field]) => [name, viewField(field)]),
		),
		isErased: (personal?.erasedAt ?? null) !== null,
	};
}

type Value = Change["fields"][string]["before"];

const viewField = ({ before, after, cut }: FieldChange) => ({
	before: (before ?? null) as Value,
	after: (after ?? null) as Value,
	...(cut !== undefined && { cut }),
});

/**
 * Returns an entry as a line of an export: the text that its hash covers, the hash, and the personal data
 * (docs/audit-log.md).
 */
export const lineOf = ({ row, personal }: Entry): string =>
	`${entryText(row).slice(0, -1)},"hash":"${row.hash}","personal":[${personal
		.map(({ position, salt, fields, erasedAt }) =>
			fields === null
				? JSON.stringify({ position, erasedAt: erasedAt === null ? null : toIso(erasedAt) })
				: `{"position":${position},"salt":"${salt}","fields":${fields}}`,
		)
		.join()}]}\n`;
