import type { Server } from "bun";
import { assertAllowed } from "../../areas/access/rules";
import { DomainError } from "../../kernel/errors";
import type { Authenticator } from "../authentication/authenticator";
import type { Bodies } from "../body";
import { type BodySize, bodySizeOf } from "../body-sizes";
import type { Sender, Senders } from "../client-address";
import { HttpRefusal } from "../refusal";
import { turnAway } from "../requests";
import type { UnreadAnswers } from "../responses/unread";
import type { Declarations, Declared } from "./route-schemas";

/** A request that another thread answers, as far as it is no body: plain JSON. */
export interface TakenIn {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly sender: Sender;
	/** Why there is no body: it was too large, or did not come. Told once it is this check's turn. */
	readonly bodyRefusal?: Pick<HttpRefusal, "status" | "message" | "headers">;
}

export interface GivenBack {
	readonly status: number;
	readonly headers: ReadonlyArray<readonly [string, string]>;
	readonly text: string;
}

/** The thread that writes, as far as requests go. Rejects with HttpRefusal when it cannot answer. */
export interface AnsweringThread {
	answer(request: TakenIn, body: string): Promise<GivenBack>;
}

export interface ForwardingOptions {
	readonly declarations: Declarations;
	readonly authenticator: Authenticator;
	readonly bodies: Bodies;
	readonly senders: Senders;
	/** What GraphQL's bodies come to. */
	readonly persisted: { mayMutate(body: string): boolean };
	readonly writer: AnsweringThread;
	readonly unread: UnreadAnswers;
	/** Answers here. */
	readonly answerHere: (request: Request) => Promise<Response> | Response;
}

type Peers = Pick<Server<undefined>, "requestIP" | "timeout">;

const writing: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * Which requests the thread that writes the main file answers, and how they get there: whole, so that the order of checks,
 * the limits, kept answers and refusals are the same code in one place. Everything else is answered on this thread.
 *
 * Who may not call is refused here, before a body is read: by the ordinary app, in its words.
 */
export class Forwarding {
	readonly #options: ForwardingOptions;

	constructor(options: ForwardingOptions) {
		this.#options = options;
	}

	/** Undefined when the request is answered on this thread. */
	answer(request: Request, peers: Peers): Promise<Response> | undefined {
		if (!writing.has(request.method) || !URL.canParse(request.url)) return undefined;
		const path = pathOf(request.url);
		if (path === "/graphql") return this.#graphql(request, peers);
		const declared = this.#options.declarations.find(request.method, path);
		if (!declared || isAskedOfOthers(declared, request) || onlyReads(declared, request.url)) return undefined;
		if (!this.#mayCall(request, peers, declared)) return undefined;
		if (declared.permit?.takesLong) peers.timeout(request, 0);
		return this.#forward(request, peers, bodySizeOf(request.method, declared.route));
	}

	/** Queries are answered here, on as many threads as there are. */
	async #graphql(request: Request, peers: Peers): Promise<Response> {
		const { bodies, persisted, answerHere } = this.#options;
		if (!this.#mayCall(request, peers, { permit: {} })) return answerHere(request);
		const size = bodySizeOf(request.method, "/graphql");
		const text = await bodies.text(request, size).catch(() => "");
		return persisted.mayMutate(text) ? this.#forward(request, peers, size) : answerHere(request);
	}

	#mayCall(request: Request, peers: Peers, { permit }: Pick<Declared, "permit">): boolean {
		// Whoever signs in or out is looked at by the route itself.
		if (!permit) return true;
		try {
			const { authenticator, senders } = this.#options;
			const { headers } = request;
			const addressOf = () => senders.of(request, peers).address;
			const caller = authenticator.caller(headers, addressOf, permit.ofAccount);
			authenticator.assertCustomer(caller, permit, headers, undefined);
			assertAllowed(caller.actor, permit);
			return true;
		} catch (error) {
			// What else fails, fails there too, and is answered there.
			return !(error instanceof DomainError);
		}
	}

	async #forward(request: Request, peers: Peers, size: BodySize): Promise<Response> {
		const { bodies, senders, writer, unread, answerHere } = this.#options;
		const { method, headers, url } = request;
		const sender = senders.of(request, peers);
		try {
			const body = await bodies.text(request, size).catch(refusalOf);
			const taken = { method, path: url.slice(url.indexOf("/", schemeEnd(url))), headers: headers.toJSON(), sender };
			const given = await (body instanceof HttpRefusal
				? writer.answer({ ...taken, bodyRefusal: { ...body, message: body.message } }, "")
				: writer.answer(taken, body));
			const init = {
				status: given.status,
				headers: given.headers.map(([name, value]): [string, string] => [name, value]),
			};
			return given.text === "" ? new Response(null, init) : unread.respond(given.text, init, true);
		} catch (error) {
			if (!(error instanceof HttpRefusal)) throw error;
			turnAway(request, error);
			return answerHere(request);
		}
	}
}

/**
 * Raw events are written by a thread of their own, and what is asked of the writer by name needs no framework there. With an
 * `Idempotency-Key` the answer is kept in the main file.
 */
const isAskedOfOthers = ({ permit }: Declared, { headers }: Request): boolean =>
	(permit?.body === "text" || permit?.asksWriter === true) && !headers.has("idempotency-key");

/** As our own clients write it; written in another way it is answered where writing is allowed, which is never wrong. */
const onlyReads = ({ permit }: Declared, url: string): boolean =>
	permit?.onlyReadsWith !== undefined && url.endsWith(`?${permit.onlyReadsWith}`);

function refusalOf(error: unknown): HttpRefusal {
	if (error instanceof HttpRefusal) return error;
	throw error;
}

const schemeEnd = (url: string): number => url.indexOf("://") + 3;

export function pathOf(url: string): string {
	const start = url.indexOf("/", schemeEnd(url));
	const end = url.indexOf("?", start);
	return end === -1 ? url.slice(start) : url.slice(start, end);
}
