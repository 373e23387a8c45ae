import { Elysia } from "elysia";
import { statusByCode } from "../kernel/error-codes";
import { DomainError, shorten } from "../kernel/errors";
import { storageMessage } from "../kernel/storage/failures";
import { HttpRefusal } from "./refusal";
import { describeRequest, type Logging } from "./requests";
import { explain } from "./validation";

const body = (message: string, code: string | null, reason?: string) => ({ message, code, ...(reason && { reason }) });

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The one place where a failure becomes a response. Nothing internal ever shows. */
export const errors = (logging: Logging, hasRoute: (method: string, path: string) => boolean) =>
	new Elysia({ name: "errors" }).onError({ as: "global" }, ({ error, code, status, set, request, server }) => {
		// The log names who was refused, and once the answer is sent the connection may be gone.
		logging.senders.of(request, server);
		// What a parse hook throws (a missing key, say) arrives wrapped in the framework's ParseError.
		const refusal = code === "PARSE" && error.cause ? error.cause : error;
		if (refusal instanceof DomainError) {
			// Public clients retry 409 by themselves; a duplicate stays a duplicate.
			if (refusal.code === "DuplicatedEntityNotAllowed") set.headers["x-should-retry"] = "false";
			return status(statusByCode[refusal.code], body(refusal.message, refusal.code, refusal.reason));
		}
		if (refusal instanceof HttpRefusal) {
			Object.assign(set.headers, refusal.headers);
			return status(refusal.status, body(refusal.message, null));
		}
		if (code === "VALIDATION" && error.type !== "response") return status(400, body(explain(error), "BadUserInput"));
		if (code === "PARSE") return status(400, body("The body is not valid JSON.", "BadUserInput"));
		if (code === "NOT_FOUND") {
			const path = new URL(request.url).pathname;
			const allowed = methods.filter((method) => hasRoute(method, path));
			if (allowed.length === 0) return status(404, body(`There is no route '${shorten(path)}'; see /docs.`, null));
			set.headers.Allow = allowed.join(", ");
			return status(405, body(`'${request.method}' is not allowed here; use ${allowed.join(" or ")}.`, null));
		}
		const trouble = storageMessage(refusal);
		logging.log.error(
			{ ...describeRequest(logging, request), err: refusal },
			trouble === undefined ? "internal error" : "storage failed",
		);
		if (trouble === undefined) return status(500, body("Internal error", null));
		set.headers["Retry-After"] = "5";
		return status(503, body(trouble, null));
	});
