import type { TSchema } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { fail, shorten } from "../kernel/errors";
import type { RouteDetail } from "../openapi/operation";
import { checker } from "./validation";

/** What a route says it takes, and who may call it. */
interface Declared {
	readonly query: boolean;
	/** Throws BadUserInput for a body that is not as declared; undefined where the route takes none. */
	readonly checkBody: ((body: unknown) => unknown) | undefined;
	readonly isPublishable: boolean;
}

/** The API's routes by what they declare, once all are there. */
export class Declarations {
	readonly #app: () => AnyElysia;
	#byRoute: ReadonlyMap<string, Declared> | undefined;
	#publishable: ReadonlyArray<readonly [method: string, path: RegExp]> | undefined;

	constructor(app: () => AnyElysia) {
		this.#app = app;
	}

	of(method: string, route: string): Declared | undefined {
		this.#byRoute ??= declaredBy(this.#app());
		return this.#byRoute.get(`${method} ${route}`);
	}

	/** Whether a publishable key may make this call. */
	isPublishable(method: string, path: string): boolean {
		this.of(method, path);
		this.#publishable ??= [...(this.#byRoute ?? [])].flatMap(([call, { isPublishable }]) => {
			const [verb = "", route = ""] = call.split(" ");
			return isPublishable ? [[verb, new RegExp(`^${route.replaceAll(/:[^/]+/g, "[^/]+")}$`)] as const] : [];
		});
		return this.#publishable.some(([verb, pattern]) => verb === method && pattern.test(path));
	}
}

const declaredBy = ({ routes }: AnyElysia): ReadonlyMap<string, Declared> =>
	new Map(
		routes
			.filter(({ path }) => path.startsWith("/api/"))
			.map(({ method, path, hooks }) => [
				`${method} ${path}`,
				{
					query: hooks.query !== undefined,
					checkBody: hooks.body === undefined ? undefined : checker("body", hooks.body as TSchema),
					isPublishable: (hooks.detail as RouteDetail | undefined)?.permit?.publishable === true,
				},
			]),
	);

/**
 * Bodies are checked here rather than by the framework, which describes what it refuses by calling it: a value of the
 * caller's own making may fail at that. A route that declares no query or no body takes none: a misspelt parameter is
 * refused rather than ignored, as the schemas do on the routes that have one (docs/interface/http.md: unknown keys). `{}` and
 * nothing at all are no body.
 */
export const declared = (declarations: Declarations) =>
	new Elysia({ name: "declared" })
		// What was sent has been read by now, and so its sender is known; who sends nothing is looked at after this.
		.onTransform({ as: "global" }, ({ request, route, body }) => {
			if (body !== undefined) declarations.of(request.method, route)?.checkBody?.(body);
		})
		.onBeforeHandle({ as: "global" }, ({ request, route, query, body }) => {
			const takes = declarations.of(request.method, route);
			if (!takes) return;
			const [parameter] = takes.query ? [] : Object.keys(query);
			if (parameter !== undefined)
				throw fail("BadUserInput", `query/${shorten(parameter)}: this route takes no query parameters.`);
			if (takes.checkBody || body === undefined) return;
			const [key] = typeof body === "object" && body !== null && !Array.isArray(body) ? Object.keys(body) : [""];
			if (key !== undefined) throw fail("BadUserInput", `body/${shorten(key)}: this route takes no body.`);
		});
