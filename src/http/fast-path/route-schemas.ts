import type { TSchema } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { fail, shorten } from "../../kernel/errors";
import type { RouteDetail } from "../../openapi/operation";
import { nameOperation } from "../causes";
import { checker } from "../validation";

/** A route's schemas and its permission. */
export interface Declared {
	/** The framework's path, with its prefix. */
	readonly route: string;
	readonly query: boolean;
	/** Throws BadUserInput for an invalid body; undefined if the route takes none. */
	readonly checkBody: ((body: unknown) => unknown) | undefined;
	readonly operationId: string | undefined;
	/** The thread that receives the request answers it, although it writes. */
	readonly isAnsweredHere: boolean;
	/** Undefined if the route authenticates the caller itself. */
	readonly permit: RouteDetail["permit"];
}

/** A node of the path tree of one method: its children and its route. */
interface Place {
	readonly segments: Map<string, Place>;
	parameter?: Place;
	declared?: Declared;
}

const newPlace = (): Place => ({ segments: new Map() });

/** The API's routes by method and path. */
export class Declarations {
	readonly #byRoute = new Map<string, Declared>();
	readonly #roots = new Map<string, Place>();
	/** Routes that no request has asked for yet. */
	#added: Array<AnyElysia["routes"][number]> = [];

	/** Adds the routes of an app. */
	add(routes: AnyElysia["routes"]): void {
		this.#added.push(...routes);
	}

	of(method: string, route: string): Declared | undefined {
		this.#read();
		return this.#byRoute.get(`${method} ${route}`);
	}

	/** Returns the route of a path, as the framework does; a trailing slash is ignored. */
	find(method: string, path: string): Declared | undefined {
		this.#read();
		const root = this.#roots.get(method);
		return root && follow(root, segmentsOf(path), 0);
	}

	/** Whether pages of other origins may make this call: with a publishable key or a portal's token. */
	isForPages(method: string, path: string): boolean {
		const permit = this.find(method, path)?.permit;
		return permit?.publishable === true || permit?.session === "PORTAL";
	}

	#read(): void {
		if (this.#added.length === 0) return;
		for (const { method, path, hooks } of this.#added) {
			// Pages also read the edge (graphql/edge).
			if (!path.startsWith("/api/") && !(method === "GET" && path.startsWith("/v1/"))) continue;
			const detail = hooks.detail as RouteDetail | undefined;
			const declared = {
				route: path,
				isAnsweredHere: detail?.notes?.answeredHere === true,
				query: hooks.query !== undefined,
				checkBody: hooks.body === undefined ? undefined : checker("body", hooks.body as TSchema),
				operationId: detail?.notes?.operationId,
				permit: detail?.permit,
			};
			this.#byRoute.set(`${method} ${path}`, declared);
			const root = this.#roots.get(method) ?? newPlace();
			this.#roots.set(method, root);
			segmentsOf(path).reduce(placeAfter, root).declared = declared;
		}
		this.#added = [];
	}
}

const segmentsOf = (path: string): string[] => (path.endsWith("/") ? path.slice(0, -1) : path).split("/");

function placeAfter(place: Place, segment: string): Place {
	const known = segment.startsWith(":") ? place.parameter : place.segments.get(segment);
	const next = known ?? newPlace();
	if (segment.startsWith(":")) place.parameter = next;
	else place.segments.set(segment, next);
	return next;
}

/** A literal segment takes precedence over a parameter. */
function follow(place: Place, segments: readonly string[], at: number): Declared | undefined {
	const segment = segments[at];
	if (segment === undefined) return place.declared;
	const named = place.segments.get(segment);
	const found = named && follow(named, segments, at + 1);
	return found ?? (place.parameter && segment !== "" ? follow(place.parameter, segments, at + 1) : undefined);
}

/**
 * Validates bodies. The framework would describe an invalid value by calling its methods, which may fail for values of
 * the caller. A route without a query or body schema rejects them, as schemas do for unknown keys
 * (docs/interface/http.md). An empty body and `{}` count as none.
 */
export const declared = (declarations: Declarations) =>
	new Elysia({ name: "declared" })
		// The body has been read by now, so the sender is known; requests without a body are authenticated later.
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
