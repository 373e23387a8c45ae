import type { AnyElysia } from "elysia";
import { type ErrorCode, statusByCode } from "../kernel/error-codes";
import type { OperationNotes, RouteDetail } from "./operation";

interface Refusal {
	readonly description: string;
	/** Null without a code of the catalogue. */
	readonly example: { readonly message: string; readonly code: ErrorCode | null };
	readonly headers?: Readonly<Record<string, unknown>>;
}

const errorBody = { $ref: "#/components/schemas/Error" };

/** The format of every refusal. */
export const errorSchema = {
	type: "object",
	description: "A refusal. Nothing has been changed.",
	required: ["message", "code"],
	properties: {
		message: { type: "string", description: "The error and its solution, for people" },
		code: {
			anyOf: [{ type: "string", enum: Object.keys(statusByCode).sort() }, { type: "null" }],
			description: "For programs; null where no code is needed",
		},
		reason: {
			type: "string",
			maxLength: 255,
			description: "Only with BillingContractOperationRejected: the billing side's own code",
		},
	},
} as const;

/** A refusal in SCIM's format (RFC 7644, section 3.12). */
export const scimErrorSchema = {
	type: "object",
	description: "A refusal of the SCIM routes. Nothing has been changed.",
	required: ["schemas", "status"],
	properties: {
		schemas: { type: "array", items: { type: "string" } },
		status: { type: "string", description: "The status of the response, as text" },
		scimType: { type: "string", description: "The kind of a refusal with status 400 or 409, such as `uniqueness`" },
		detail: { type: "string", description: "What is wrong; for people" },
	},
} as const;

const scimErrorBody = { $ref: "#/components/schemas/ScimError" };

const seconds = (description: string) => ({ description, schema: { type: "integer", minimum: 0 } });

/** Refusals that many routes share, by their names in the document's components. */
const shared = {
	BadRequest: {
		description: "The path, the query or the body is not as described.",
		example: { message: "body/name: must be a string of at most 255 characters.", code: "BadUserInput" },
	},
	Unauthenticated: {
		description: "The key or the token is missing, wrong or expired.",
		example: { message: "The API key is missing, wrong or expired.", code: "Unauthenticated" },
	},
	Forbidden: {
		description:
			"The key lacks the scope (`AccessDeniedError`), or this kind of caller may not do this (`IdentityForbidden`).",
		example: {
			message: "This key lacks the permission CUSTOMER:READ; use a key that has it.",
			code: "AccessDeniedError",
		},
	},
	UnderWay: {
		description: "A call with the same `Idempotency-Key` is under way; repeat it.",
		example: { message: "A call with this Idempotency-Key is under way; repeat it in a moment.", code: null },
	},
	TooLarge: {
		description: "The body is larger than this route takes.",
		example: { message: "The body is larger than 8388608 bytes; send it in parts.", code: null },
	},
	TooManyRequests: {
		description: "More than 30 calls a minute of this route for one customer or subscription.",
		example: { message: "More than 30 calls a minute for this entity; try again later.", code: "RateLimitExceeded" },
		headers: { "Retry-After": seconds("Seconds until the next call may succeed") },
	},
} as const satisfies Readonly<Record<string, Refusal>>;

const response = ({ description, example, headers }: Refusal) => ({
	description,
	...(headers && { headers }),
	content: { "application/json": { schema: errorBody, example } },
});

export const sharedRefusals = Object.fromEntries(
	Object.entries(shared).map(([name, refusal]) => [name, response(refusal)]),
);

const sharedByStatus: Readonly<Record<number, keyof typeof shared>> = {
	400: "BadRequest",
	401: "Unauthenticated",
	403: "Forbidden",
	409: "UnderWay",
	413: "TooLarge",
	429: "TooManyRequests",
};

/** The refusals of a route: those of its kind, and those of its own rules. */
export function refusalsOf(
	{ method, hooks }: AnyElysia["routes"][number],
	{ permit }: RouteDetail,
	{ callers, refusals = [], uncoded = {} }: OperationNotes,
): Record<string, unknown> {
	const own = Map.groupBy(refusals, (code): number => statusByCode[code]);
	const statuses = new Set<number>([
		...(callers === "anyone" && hooks.body === undefined ? [] : [400]),
		...(callers === "anyone" ? [] : [401]),
		...(permit ? [403] : []),
		...(permit && method === "POST" ? [409] : []),
		...(hooks.body === undefined ? [] : [413]),
		...(permit?.limitedBy === undefined ? [] : [429]),
		...own.keys(),
		...Object.keys(uncoded).map(Number),
	]);
	const at = (status: number) =>
		callers === "scim"
			? scimRefusalAt(status, uncoded[status])
			: refusalAt(status, own.get(status) ?? [], uncoded[status]);
	return Object.fromEntries([...statuses].sort().map((status) => [status, at(status)]));
}

/** Paths and queries are checked before a SCIM route runs, so their 400 has the common format. */
function scimRefusalAt(status: number, uncoded: string | undefined) {
	const name = sharedByStatus[status];
	const description = uncoded ?? (name === undefined ? "It is refused." : shared[name].description);
	const schema = status === 400 ? { anyOf: [scimErrorBody, errorBody] } : scimErrorBody;
	const example = {
		schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
		detail: description,
		status: `${status}`,
	};
	return { description, content: { "application/json": { schema, example } } };
}

function refusalAt(status: number, codes: readonly ErrorCode[], uncoded: string | undefined) {
	const name = sharedByStatus[status];
	const [first] = codes;
	if (name !== undefined && first === undefined && uncoded === undefined)
		return { $ref: `#/components/responses/${name}` };
	const general = name === undefined ? [] : [shared[name].description];
	const special = codes.map((code) => `\`${code}\``).join(", ");
	return response({
		description: [...general, ...(special === "" ? [] : [`By its code: ${special}.`]), uncoded]
			.filter((text) => text !== undefined)
			.join(" "),
		example: { message: uncoded ?? "The error and its solution.", code: first ?? null },
	});
}
