import { type Static, Type } from "@sinclair/typebox";
import { createdAtQuery, pageQuery } from "../../kernel/page";
import { literals, nullable } from "../../kernel/schema";
import { actorTypes } from "../outbox/event-types";

const Id = Type.String({ minLength: 1, maxLength: 255 });

const filters = {
	actorId: Type.Optional(Id),
	entityType: Type.Optional(Id),
	entityId: Type.Optional(Id),
	operation: Type.Optional(Id),
	level: Type.Optional(literals("environment", "account")),
	...createdAtQuery,
};

export const AuditLogQuery = Type.Object({ ...filters, ...pageQuery }, { additionalProperties: false });
export type AuditLogQuery = Static<typeof AuditLogQuery>;
export type AuditLogFilter = Omit<AuditLogQuery, "after" | "before" | "limit">;

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

const AuditChange = Type.Object({
	entityType: Type.String(),
	entityId: Type.String(),
	entityRef: nullable(Type.String()),
	action: literals("created", "updated", "deleted"),
	fields: Type.Record(
		Type.String(),
		Type.Object({
			before: Value,
			after: Value,
			cut: Type.Optional(Type.Integer({ description: "The length of a value that is shown in part" })),
		}),
	),
	isErased: Type.Boolean({ description: "Whether personal data was erased from it" }),
});

export const AuditEntry = Type.Object({
	id: Type.String(),
	sequence: Type.Integer(),
	environmentId: nullable(Type.String()),
	at: Type.String({ description: "The environment's time, ISO 8601" }),
	recordedAt: Type.String({ description: "The machine's time, ISO 8601" }),
	actor: Type.Object({ type: literals(...actorTypes), id: Type.String(), name: nullable(Type.String()) }),
	requestId: nullable(Type.String()),
	address: nullable(Type.String()),
	operation: Type.String(),
	entityType: Type.String(),
	entityId: Type.String(),
	entityRef: nullable(Type.String()),
	changes: Type.Array(AuditChange),
	changesCount: Type.Integer({ description: "The total number of changes; an entry shows the first ones" }),
	hash: Type.String(),
});
export type AuditEntry = Static<typeof AuditEntry>;
