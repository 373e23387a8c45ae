import { operation } from "../../openapi/operation";

export const auditOperations = {
	list: operation({
		operationId: "auditLog.list",
		summary: "Read the audit log",
		description:
			"The changes of all interfaces and their authors, newest first, with each field before and after. With several filters, a page may have fewer entries than its limit and still have a next page. With `Accept: application/x-ndjson` the response contains all matching entries as JSON Lines, oldest first, in the form that their hashes cover (docs/audit-log.md); `limit` and `before` are then ignored.",
		query: {
			actorId: "Only changes by this key or user",
			operation: "Only this operation, by its name in entries",
			entityType: "Only changes of this type of entity, for example Subscription",
			entityId:
				"Only changes of this entity or its parts: its id in the interface (with `entityType` if several entities share the id), or the internal one",
			level: "`account` for changes outside environments, such as sign-ins; for signed-in users",
			"createdAt[gt]": "Machine time, to the millisecond",
			"createdAt[gte]": "Machine time, to the millisecond",
			"createdAt[lt]": "Machine time, to the millisecond",
			"createdAt[lte]": "Machine time, to the millisecond",
		},
		refusals: ["RateLimitExceeded"],
		uncoded: { 503: "Too many streams are open; try again after the seconds in `Retry-After`." },
	}),
};
