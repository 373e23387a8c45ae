import { assertAllowed } from "../../areas/access/rules";
import { DomainError } from "../../kernel/errors";
import type { Actor } from "../../kernel/work";
import type { Authenticator } from "../authentication/authenticator";
import type { Bodies } from "../body";
import { bodySizeOf } from "../body-sizes";
import type { Log } from "../log";
import { answerAhead } from "./ahead";
import { pathOf } from "./forwarding";
import type { Declarations } from "./route-schemas";

const route = "/api/v1/events";
const size = bodySizeOf("POST", route);
const accepted = JSON.stringify({ data: {} });

/** Our choice: the addresses that clients know us by; a caller may send any. */
const addressesMax = 100;

/** Takes a request's events in, as text. Anything but "accepted" is answered by the app. */
interface EventIntake {
	take(actor: Actor, text: string): Promise<{ readonly kind: string }>;
}

export interface EventRequestsOptions {
	readonly declarations: Declarations;
	readonly authenticator: Authenticator;
	readonly bodies: Bodies;
	readonly intake: EventIntake;
	readonly log: Log;
	/** The ordinary way. */
	readonly answer: (request: Request) => Promise<Response> | Response;
}

/**
 * Takes `POST /events` before the framework sees it, where nothing is unusual: a known key that may, JSON, no header that asks for more.
 * What is not accepted goes the ordinary way, from the beginning: events that arrived count once, so it may be sent on twice,
 * and every refusal has one wording.
 */
export class EventRequests {
	readonly #options: EventRequestsOptions;
	readonly #isOff: boolean;
	/** That lead to the route. */
	readonly #addresses = new Set<string>();

	constructor(options: EventRequestsOptions) {
		this.#options = options;
		// The ordinary way writes a line for each answer.
		this.#isOff = options.log.isLevelEnabled("debug");
	}

	/** Undefined for a request that goes the ordinary way at once. */
	answer(request: Request): Promise<Response> | undefined {
		if (this.#isOff || request.method !== "POST" || !this.#isForEvents(request.url)) return undefined;
		const { headers } = request;
		const actor = this.#options.authenticator.knownActor(headers.get("x-api-key"));
		if (!actor || !this.#may(actor) || headers.get("content-type") !== "application/json") return undefined;
		// They ask for headers of their own, or for an answer that is kept (cors.ts, requests.ts, idempotency.ts).
		if (headers.has("origin") || headers.has("x-forwarded-proto") || headers.has("idempotency-key")) return undefined;
		return this.#take(request, actor);
	}

	async #take(request: Request, actor: Actor): Promise<Response> {
		const { bodies, intake, answer } = this.#options;
		const text = await bodies.text(request, size).catch(() => "");
		if (text === "" || (await intake.take(actor, text)).kind !== "accepted") return answer(request);
		return answerAhead(accepted, request.headers);
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
