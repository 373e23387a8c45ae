import { operation } from "../../openapi/operation";

export const auditOperations = {
	list: operation({
		operationId: "auditLog.list",
		summary: "Read the audit log",
		description:
			"Who changed what, newest first: every change of whatever way in, with the fields before and after. Where several things are asked for at once, a page may hold fewer entries than its limit and still have a next one. With `Accept: application/x-ndjson` all that match are sent as lines of JSON, oldest first, in the form that their hashes cover (docs/audit-log.md); `limit` and `before` are not used then.",
		query: {
			actorId: "Only what this key or user did",
			operation: "Only this operation, as entries name it",
			entityType: "Only changes of such a thing, for example Subscription",
			entityId:
				"Only changes of this thing or of what belongs to it: its id in the interface (with `entityType` where several things have the same), or its internal one",
			level: "`account` for what belongs to no environment, such as sign-ins; for signed-in users",
			"createdAt[gt]": "By the machine's time, to the millisecond",
			"createdAt[gte]": "By the machine's time, to the millisecond",
			"createdAt[lt]": "By the machine's time, to the millisecond",
			"createdAt[lte]": "By the machine's time, to the millisecond",
		},
		refusals: ["RateLimitExceeded"],
		uncoded: { 503: "Too many streams are open; try again after the seconds of `Retry-After`." },
	}),
};
