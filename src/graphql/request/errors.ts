import { type ExecutionResult, GraphQLError } from "graphql";
import { HttpRefusal } from "../../http/refusal";
import { failureName } from "../../http/requests";
import { DomainError, withShortQuotes } from "../../kernel/errors";
import { FileNotHere, storageMessage } from "../../kernel/storage/failures";
import type { Services } from "../../server/context";

/** Our choice: the same refusal on every row of a page says no more than on the first hundred. */
const errorsMax = 100;

/** What GraphQL adds to what is misspelt: names of fields, arguments, types and values. */
const suggestions = / Did you mean [^?]*\?/g;

/** The request that failed, and where to tell of what is our own fault. */
export interface Failing {
	readonly requestId: string;
	readonly logBug: (error: unknown) => void;
	/** Whether messages may name what else the schema has. */
	readonly tellsSchema: boolean;
}

export const failingOf = ({ log, api }: Pick<Services, "log" | "api">, requestId: string): Failing => ({
	requestId,
	logBug: (error) => log.error({ requestId, err: error }, failureName(error)),
	tellsSchema: api.introspection,
});

/**
 * The one mapper of GraphQL errors: `message` and `extensions.code`, spelt as in REST (docs/interface/graphql.md). Nothing
 * internal ever shows. `traceId` is the request id, for finding it in the log.
 */
export function viewErrors(result: ExecutionResult, failing: Failing): ExecutionResult {
	const { errors, data, extensions } = result;
	const told = extensions && { extensions };
	if (!errors || errors.length === 0) return { data: data ?? null, ...told };
	const shown = errors.slice(0, errorsMax).map((error) => viewError(error, failing));
	return { ...(data === undefined ? {} : { data }), errors: shown, ...told };
}

function viewError(error: GraphQLError, { requestId, logBug, tellsSchema }: Failing): GraphQLError {
	const cause = causeOf(error);
	const { message: whole, code } = explain(cause, error);
	const message = tellsSchema ? whole : whole.replace(suggestions, "");
	if (code === "UnexpectedError") logBug(cause);
	return new GraphQLError(message, {
		extensions: { code, traceId: requestId },
		...(error.nodes && { nodes: error.nodes }),
		...(error.source && { source: error.source }),
		...(error.positions && { positions: error.positions }),
		...(error.path && { path: error.path }),
	});
}

/** What waits for a file is no error of its field: the operation is carried out again once that is here. */
export function throwAwaited(errors: readonly GraphQLError[] = []): void {
	const awaited = errors.map(causeOf).find((cause) => cause instanceof FileNotHere);
	if (awaited) throw awaited;
}

/** GraphQL wraps what resolvers throw, and what scalars throw twice. */
export function causeOf(error: GraphQLError): Error {
	let cause: Error = error;
	while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
	return cause;
}

function explain(cause: Error, error: GraphQLError): { readonly message: string; readonly code: string } {
	if (cause instanceof DomainError) return { message: cause.message, code: cause.code };
	// Status and headers mean nothing here: clients read only a body that came with 200.
	if (cause instanceof HttpRefusal) return { message: cause.message, code: "BadUserInput" };
	// Syntax, unknown fields, variables of the wrong type: what GraphQL itself finds wrong. The outer message names the place.
	if (cause instanceof GraphQLError && !isOfAnAnswer(cause, error))
		return { message: withShortQuotes(error.message), code: "BadUserInput" };
	return { message: storageMessage(cause) ?? "Internal error", code: "UnexpectedError" };
}

/**
 * A value of ours that its type cannot show is no mistake of the caller's. What stands in the operation has its place
 * there.
 */
const isOfAnAnswer = (cause: GraphQLError, { path }: GraphQLError): boolean =>
	path !== undefined && cause.nodes === undefined;
