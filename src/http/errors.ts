import { Elysia } from "elysia";
import { statusByCode } from "../kernel/error-codes";
import { DomainError, shorten } from "../kernel/errors";
import { storageMessage } from "../kernel/storage/failures";
import { HttpRefusal } from "./refusal";
import { type Logging, logFailure } from "./requests";
import { explain } from "./validation";

const body = (message: string, code: string | null, reason?: string) => ({ message, code, ...(reason && { reason }) });

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The one place where a failure becomes a response. Nothing internal ever shows. */
export const errors = (logging: Logging, hasRoute: (method: string, path: string) => boolean) =>
	new Elysia({ name: "errors" }).onError({ as: "global" }, ({ error, code, status, set, request, server }) => {
		// The log names who was refused, and once the answer is sent the connection may be gone.
		logging.senders.of(request, server);
		// The framework wraps in its ParseError whatever a parse hook throws: a refused key, a failed read of the disk.
		const failure = code === "PARSE" && error.cause ? error.cause : error;
		if (failure instanceof DomainError) {
			// Public clients retry 409 by themselves; a duplicate stays a duplicate.
			if (failure.code === "DuplicatedEntityNotAllowed") set.headers["x-should-retry"] = "false";
			// A limiter that counts calls sets it exactly; a place for a stream can become free at any time.
			if (failure.code === "RateLimitExceeded") set.headers["Retry-After"] ??= "5";
			return status(statusByCode[failure.code], body(failure.message, failure.code, failure.reason));
		}
		if (failure instanceof HttpRefusal) {
			if (failure.status >= 500) logFailure(logging, request, failure.status, failure);
			Object.assign(set.headers, failure.headers);
			return status(failure.status, body(failure.message, null));
		}
		if (code === "VALIDATION" && error.type !== "response") return status(400, body(explain(error), "BadUserInput"));
		// Only the framework's own parsers are left: everything else that a parse hook throws is a failure of ours.
		if (code === "PARSE" && (failure === error || failure instanceof SyntaxError))
			return status(400, body("The body is not valid JSON.", "BadUserInput"));
		if (code === "NOT_FOUND") {
			const path = new URL(request.url).pathname;
			const allowed = methods.filter((method) => hasRoute(method, path));
			if (allowed.length === 0) return status(404, body(`There is no route '${shorten(path)}'; see /docs.`, null));
			set.headers.Allow = allowed.join(", ");
			return status(405, body(`'${request.method}' is not allowed here; use ${allowed.join(" or ")}.`, null));
		}
		const trouble = storageMessage(failure);
		const answered = trouble === undefined ? 500 : 503;
		logFailure(logging, request, answered, failure);
		if (trouble === undefined) return status(answered, body("Internal error", null));
		set.headers["Retry-After"] = "5";
		return status(answered, body(trouble, null));
	});
