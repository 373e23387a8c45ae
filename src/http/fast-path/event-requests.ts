import { assertAllowed } from "../../areas/access/rules";
import { DomainError } from "../../kernel/errors";
import type { Actor } from "../../kernel/work";
import type { Authenticator } from "../authentication/authenticator";
import type { Bodies } from "../body";
import { bodySizeOf } from "../body-sizes";
import type { Log } from "../log";
import { fastAnswer } from "./ahead";
import { pathOf } from "./forwarding";
import type { Declarations } from "./route-schemas";

const route = "/api/v1/events";
const size = bodySizeOf("POST", route);
const accepted = JSON.stringify({ data: {} });

/** The URLs by which clients call the route. A client may send any, so the number is bounded. */
const addressesMax = 100;

/** Accepts the events of a request as text. The app answers all other outcomes. */
interface EventIntake {
	take(actor: Actor, text: string): Promise<{ readonly kind: string }>;
}

export interface EventRequestsOptions {
	readonly declarations: Declarations;
	readonly authenticator: Authenticator;
	readonly bodies: Bodies;
	readonly intake: EventIntake;
	readonly log: Log;
	/** Answers the request by the app, without the fast path. */
	readonly answer: (request: Request) => Promise<Response> | Response;
}

/**
 * Takes `POST /events` before the router in the simple case: a cached key with the scope, a JSON body, no special
 * headers. Anything else goes to the app from the start. An event that arrives twice counts once, so a repetition is
 * harmless, and the app words all errors.
 */
export class EventRequests {
	readonly #options: EventRequestsOptions;
	/** URLs of the route. */
	readonly #addresses = new Set<string>();

	constructor(options: EventRequestsOptions) {
		this.#options = options;
	}

	/** Returns undefined for a request that the app answers. */
	answer(request: Request): Promise<Response> | undefined {
		if (request.method !== "POST" || !this.#isForEvents(request.url)) return undefined;
		// The log needs a line for each response, so debug logging disables the fast path while it lasts.
		if (this.#options.log.isLevelEnabled("debug")) return undefined;
		const { headers } = request;
		const actor = this.#options.authenticator.knownActor(headers.get("x-api-key"));
		if (!actor || !this.#may(actor) || headers.get("content-type") !== "application/json") return undefined;
		// Requests with these headers need further response headers or a stored answer (cors.ts, requests.ts,
		// idempotency.ts).
		if (headers.has("origin") || headers.has("x-forwarded-proto") || headers.has("idempotency-key")) return undefined;
		return this.#take(request, actor);
	}

	async #take(request: Request, actor: Actor): Promise<Response> {
		const { bodies, intake, answer } = this.#options;
		const text = await bodies.text(request, size).catch(() => "");
		if (text === "" || (await intake.take(actor, text)).kind !== "accepted") return answer(request);
		return fastAnswer(accepted, request.headers);
	}

	#isForEvents(url: string): boolean {
		if (this.#addresses.has(url)) return true;
		if (!url.endsWith(route) || !URL.canParse(url) || pathOf(url) !== route) return false;
		if (this.#addresses.size >= addressesMax) this.#addresses.clear();
		this.#addresses.add(url);
		return true;
	}

	#may(actor: Actor): boolean {
		const permit = this.#options.declarations.of("POST", route)?.permit;
		try {
			if (permit) assertAllowed(actor, permit);
			return permit !== undefined;
		} catch (error) {
			if (error instanceof DomainError) return false;
			throw error;
		}
	}
}
