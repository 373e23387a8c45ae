import { Elysia } from "elysia";
import { statusByCode } from "../kernel/error-codes";
import { DomainError, shorten } from "../kernel/errors";
import { HttpRefusal } from "./refusal";
import { failureAnswer, type Logging, logFailure } from "./requests";
import { explain } from "./validation";

const body = (message: string, code: string | null, reason?: string) => ({ message, code, ...(reason && { reason }) });

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Turns errors into responses. Internal details are never shown. */
export const errors = (logging: Logging, hasRoute: (method: string, path: string) => boolean) => {
	const count = (code: string): void => logging.meter.counter("tollgate_http_rejections_total", { code }).add();
	return new Elysia({ name: "errors" }).onError({ as: "global" }, ({ error, code, status, set, request, server }) => {
		// The log names the sender, and the connection may be closed after the response.
		logging.senders.of(request, server);
		// The framework wraps errors of parse hooks in ParseError, such as an invalid key or a disk failure.
		const failure = code === "PARSE" && error.cause ? error.cause : error;
		if (failure instanceof DomainError) {
			// Clients retry a 409 automatically, which does not help with a duplicate.
			if (failure.code === "DuplicatedEntityNotAllowed") set.headers["x-should-retry"] = "false";
			// Limits that count calls set the exact time; a place for a stream may become free at any time.
			if (failure.code === "RateLimitExceeded") set.headers["Retry-After"] ??= "5";
			count(failure.code);
			return status(statusByCode[failure.code], body(failure.message, failure.code, failure.reason));
		}
		if (failure instanceof HttpRefusal) {
			if (failure.status >= 500) logFailure(logging, request, failure.status, failure);
			count(`HTTP ${failure.status}`);
			Object.assign(set.headers, failure.headers);
			return status(failure.status, body(failure.message, null));
		}
		if (code === "VALIDATION" && error.type !== "response") {
			count("BadUserInput");
			return status(400, body(explain(error), "BadUserInput"));
		}
		// Only the framework's own parsers remain; other errors of parse hooks are internal failures.
		if (code === "PARSE" && (failure === error || failure instanceof SyntaxError)) {
			count("BadUserInput");
			return status(400, body("The body is not valid JSON.", "BadUserInput"));
		}
		if (code === "NOT_FOUND") {
			const path = new URL(request.url).pathname;
			count("HTTP 404");
			const allowed = methods.filter((method) => hasRoute(method, path));
			if (allowed.length === 0) return status(404, body(`There is no route '${shorten(path)}'; see /docs.`, null));
			set.headers.Allow = allowed.join(", ");
			return status(405, body(`'${request.method}' is not allowed here; use ${allowed.join(" or ")}.`, null));
		}
		const { status: answered, message, headers } = failureAnswer(failure);
		count(`HTTP ${answered}`);
		logFailure(logging, request, answered, failure);
		Object.assign(set.headers, headers);
		return status(answered, body(message, null));
	});
};
