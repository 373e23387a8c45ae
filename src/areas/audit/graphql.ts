import { eq, sql } from "drizzle-orm";
import type { GraphqlArea } from "../../graphql/area";
import { date, type List, text } from "../../graphql/lists/list";
import { auditEntriesByIds, type Entry } from "./operations";
import { auditEntries } from "./table";
import { viewEntry } from "./view";

const typeDefs = `
	type AuditActor { type: String! id: String! name: String }
	"What was done in one transaction, and by whom. Our addition."
	type AuditEntry {
		id: ID!
		"Its place in the chain of the environment, from 1."
		sequence: Int!
		"The environment's time."
		at: DateTime!
		"The machine's time."
		recordedAt: DateTime!
		actor: AuditActor!
		requestId: String
		address: String
		operation: String!
		entityType: String!
		entityId: String!
		entityRef: String
		"As in REST: a list of what was created, updated or deleted, with the fields before and after."
		changes: JSON!
		changesCount: Int!
		hash: String!
	}
`;

const list: List = {
	field: "auditLog",
	type: "AuditEntry",
	scope: "AUDIT_LOG:READ",
	source: sql`${auditEntries}`,
	id: auditEntries.id,
	within: ({ actor }) => eq(auditEntries.environmentId, actor.environmentId),
	fields: {
		id: text(auditEntries.id),
		actorId: text(auditEntries.actorId),
		operation: text(auditEntries.operation),
		entityType: text(auditEntries.entityType),
		entityId: text(auditEntries.entityId),
		entityRef: text(auditEntries.entityRef),
		at: date(auditEntries.at),
		recordedAt: date(auditEntries.recordedAt),
	},
	rows: (work, ids) =>
		new Map([...auditEntriesByIds(work, ids)].map(([id, entry]: [string, Entry]) => [id, viewEntry(entry)])),
};

export const auditGraphql: GraphqlArea = {
	typeDefs,
	types: { AuditEntry: { scope: "AUDIT_LOG:READ", fields: {} }, AuditActor: { fields: {} } },
	lists: [list],
};
