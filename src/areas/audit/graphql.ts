import type { GraphqlArea } from "../../graphql/area";
import { calculated, columns, tableList } from "../../graphql/lists/list";
import { unpackedIn } from "../../kernel/storage/packed-id";
import { auditEntriesByIds, type Entry } from "./operations";
import { AuditEntry } from "./schema";
import { auditEntries } from "./table";
import { viewEntry } from "./view";

const schemas = { AuditEntry };

const typeDefs = `
	"The changes of one transaction, and their actor."
	type AuditEntry from AuditEntry {
		id
		"The position in the environment's chain, from 1."
		sequence
		"The environment's time."
		at as DateTime
		"The machine's time."
		recordedAt
		actor as AuditActor { type id! name } requestId address operation entityType entityId entityRef
		"The objects that were created, updated or deleted, with the fields before and after, as in REST."
		changes: JSON!
		changesCount hash
	}
`;

const list = tableList(auditEntries, {
	...{ field: "auditLog", type: "AuditEntry", scope: "AUDIT_LOG:READ" },
	fields: {
		...columns(auditEntries, "id actorId operation entityType"),
		entityId: calculated("String", unpackedIn(auditEntries.entityId)),
		...columns(auditEntries, "entityRef at recordedAt"),
	},
	rows: (work, ids) =>
		new Map([...auditEntriesByIds(work, ids)].map(([id, entry]: [string, Entry]) => [id, viewEntry(entry)])),
});

export const auditGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { AuditEntry: { scope: "AUDIT_LOG:READ", fields: {} }, AuditActor: { fields: {} } },
	lists: [list],
};
