import { Elysia } from "elysia";
import { fail } from "../kernel/errors";

/** What a route says it takes, by its schemas. */
export interface Declared {
	readonly query: boolean;
	readonly body: boolean;
}

/**
 * A route that declares no query or no body takes none: a misspelt parameter is refused rather than ignored, as the
 * schemas do on the routes that have one (choices.md, HTTP: unknown keys). `{}` and nothing at all are no body.
 */
export const undeclared = (declaredBy: (method: string, route: string) => Declared | undefined) =>
	new Elysia({ name: "undeclared" }).onBeforeHandle({ as: "global" }, ({ request, route, query, body }) => {
		const declared = declaredBy(request.method, route);
		if (!declared) return;
		const [parameter] = declared.query ? [] : Object.keys(query);
		if (parameter !== undefined)
			throw fail("BadUserInput", `query/${parameter}: this route takes no query parameters.`);
		if (declared.body || body === undefined) return;
		const [key] = typeof body === "object" && body !== null && !Array.isArray(body) ? Object.keys(body) : [""];
		if (key !== undefined) throw fail("BadUserInput", `body/${key}: this route takes no body.`);
	});
