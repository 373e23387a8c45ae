import { type ExecutionResult, GraphQLError } from "graphql";
import { HttpRefusal } from "../../http/refusal";
import { failureName } from "../../http/requests";
import { DomainError, withShortQuotes } from "../../kernel/errors";
import { storageMessage } from "../../kernel/storage/failures";
import type { Services } from "../../server/context";

/** Further errors of the same page add nothing. */
const errorsMax = 100;

/** GraphQL's suggestions of names for misspelled fields, arguments, types and values. */
const suggestions = / Did you mean [^?]*\?/g;

/** The failed request, and the log for bugs. */
export interface Failing {
	readonly requestId: string;
	readonly logBug: (error: unknown) => void;
	/** Counts an error by its code. */
	readonly count: (code: string) => void;
	/** Whether messages may suggest names of the schema. */
	readonly showsSchema: boolean;
}

export const failingOf = (
	{ log, api, meter }: Pick<Services, "log" | "api" | "meter">,
	requestId: string,
): Failing => ({
	requestId,
	count: (code) => meter.counter("tollgate_http_rejections_total", { code }).add(),
	logBug: (error) => log.error({ requestId, err: error }, failureName(error)),
	showsSchema: api.introspection,
});

/**
 * Maps all GraphQL errors to `message` and `extensions.code`, with REST's codes (docs/interface/graphql.md). No internal
 * detail is shown. `traceId` is the request id of the log.
 */
export function viewErrors(result: ExecutionResult, failing: Failing): ExecutionResult {
	const { errors, data, extensions } = result;
	const shownExtensions = extensions && { extensions };
	if (!errors || errors.length === 0) return { data: data ?? null, ...shownExtensions };
	const shown = errors.slice(0, errorsMax).map((error) => viewError(error, failing));
	return { ...(data === undefined ? {} : { data }), errors: shown, ...shownExtensions };
}

function viewError(error: GraphQLError, { requestId, logBug, count, showsSchema }: Failing): GraphQLError {
	const cause = causeOf(error);
	const { message: whole, code } = explain(cause, error);
	const message = showsSchema ? whole : whole.replace(suggestions, "");
	count(code);
	if (code === "UnexpectedError") logBug(cause);
	return new GraphQLError(message, {
		extensions: { code, traceId: requestId },
		...(error.nodes && { nodes: error.nodes }),
		...(error.source && { source: error.source }),
		...(error.positions && { positions: error.positions }),
		...(error.path && { path: error.path }),
	});
}

/** GraphQL wraps errors of resolvers once, and errors of scalars twice. */
export function causeOf(error: GraphQLError): Error {
	let cause: Error = error;
	while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
	return cause;
}

function explain(cause: Error, error: GraphQLError): { readonly message: string; readonly code: string } {
	if (cause instanceof DomainError) return { message: cause.message, code: cause.code };
	// Status and headers have no effect: clients read the body only with status 200.
	if (cause instanceof HttpRefusal) return { message: cause.message, code: "BadUserInput" };
	// GraphQL's own errors: syntax, unknown fields, types of variables. The outer message names the place.
	if (cause instanceof GraphQLError && !isOfAnAnswer(cause, error))
		return { message: withShortQuotes(error.message), code: "BadUserInput" };
	return { message: storageMessage(cause) ?? "Internal error", code: "UnexpectedError" };
}

/** A value that its type cannot show is our bug. Errors of the operation itself have a place in its text. */
const isOfAnAnswer = (cause: GraphQLError, { path }: GraphQLError): boolean =>
	path !== undefined && cause.nodes === undefined;
