import type { TSchema } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { fail, shorten } from "../../kernel/errors";
import type { RouteDetail } from "../../openapi/operation";
import { nameOperation } from "../causes";
import { checker } from "../validation";

/** What a route says it takes, and who may call it. */
export interface Declared {
	/** As the framework names it, its prefix included. */
	readonly route: string;
	readonly query: boolean;
	/** Throws BadUserInput for a body that is not as declared; undefined where the route takes none. */
	readonly checkBody: ((body: unknown) => unknown) | undefined;
	readonly operationId: string | undefined;
	/** Undefined where the route itself finds out who calls. */
	readonly permit: RouteDetail["permit"];
}

/** A place in the paths of one method: what may follow it, and the route that ends there. */
interface Place {
	readonly segments: Map<string, Place>;
	parameter?: Place;
	declared?: Declared;
}

const newPlace = (): Place => ({ segments: new Map() });

/** The API's routes by what they declare, once all are there. */
export class Declarations {
	readonly #app: () => AnyElysia;
	#read: ReturnType<typeof readRoutes> | undefined;

	constructor(app: () => AnyElysia) {
		this.#app = app;
	}

	of(method: string, route: string): Declared | undefined {
		return this.#all().byRoute.get(`${method} ${route}`);
	}

	/** The route that a path leads to, as the framework finds it; a slash at its end counts for nothing. */
	find(method: string, path: string): Declared | undefined {
		const root = this.#all().roots.get(method);
		return root && follow(root, segmentsOf(path), 0);
	}

	/** Whether pages of other origins may make this call: with a publishable key, or with a portal's token. */
	isForPages(method: string, path: string): boolean {
		const permit = this.find(method, path)?.permit;
		return permit?.publishable === true || permit?.session === "PORTAL";
	}

	#all() {
		this.#read ??= readRoutes(this.#app());
		return this.#read;
	}
}

function readRoutes({ routes }: AnyElysia) {
	const byRoute = new Map<string, Declared>();
	const roots = new Map<string, Place>();
	for (const { method, path, hooks } of routes) {
		// The edge is read by pages too (graphql/edge).
		if (!path.startsWith("/api/") && !(method === "GET" && path.startsWith("/v1/"))) continue;
		const declared = {
			route: path,
			query: hooks.query !== undefined,
			checkBody: hooks.body === undefined ? undefined : checker("body", hooks.body as TSchema),
			operationId: (hooks.detail as RouteDetail | undefined)?.notes?.operationId,
			permit: (hooks.detail as RouteDetail | undefined)?.permit,
		};
		byRoute.set(`${method} ${path}`, declared);
		const root = roots.get(method) ?? newPlace();
		roots.set(method, root);
		segmentsOf(path).reduce(placeAfter, root).declared = declared;
	}
	return { byRoute, roots };
}

const segmentsOf = (path: string): string[] => (path.endsWith("/") ? path.slice(0, -1) : path).split("/");

function placeAfter(place: Place, segment: string): Place {
	const known = segment.startsWith(":") ? place.parameter : place.segments.get(segment);
	const next = known ?? newPlace();
	if (segment.startsWith(":")) place.parameter = next;
	else place.segments.set(segment, next);
	return next;
}

/** What stands in a route itself goes before a parameter, wherever it leads on. */
function follow(place: Place, segments: readonly string[], at: number): Declared | undefined {
	const segment = segments[at];
	if (segment === undefined) return place.declared;
	const named = place.segments.get(segment);
	const found = named && follow(named, segments, at + 1);
	return found ?? (place.parameter && segment !== "" ? follow(place.parameter, segments, at + 1) : undefined);
}

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
			if (takes.operationId && request.method !== "GET") nameOperation(request, takes.operationId);
			const [parameter] = takes.query ? [] : Object.keys(query);
			if (parameter !== undefined)
				throw fail("BadUserInput", `query/${shorten(parameter)}: this route takes no query parameters.`);
			if (takes.checkBody || body === undefined) return;
			const [key] = typeof body === "object" && body !== null && !Array.isArray(body) ? Object.keys(body) : [""];
			if (key !== undefined) throw fail("BadUserInput", `body/${shorten(key)}: this route takes no body.`);
		});
