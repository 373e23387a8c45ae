import type { Server } from "bun";
import { assertAllowed } from "../../areas/access/rules";
import { DomainError } from "../../kernel/errors";
import type { Authenticator } from "../authentication/authenticator";
import type { Bodies } from "../body";
import { type BodySize, bodySizeOf } from "../body-sizes";
import type { Sender, Senders } from "../client-address";
import { HttpRefusal } from "../refusal";
import { rejectRequest } from "../requests";
import type { UnreadAnswers } from "../responses/unread";
import type { Declarations, Declared } from "./route-schemas";

/** A request without its body, as plain JSON for another thread. */
export interface ForwardedRequest {
	readonly method: string;
	/** Includes the query. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly sender: Sender;
	/** The error of a body that was too large or did not arrive. It is thrown when the body is needed. */
	readonly bodyRefusal?: Pick<HttpRefusal, "status" | "message" | "headers">;
}

export interface ForwardedAnswer {
	readonly status: number;
	readonly headers: ReadonlyArray<readonly [string, string]>;
	readonly text: string;
}

/** Forwards a request to the writer. Rejects with HttpRefusal if it cannot answer. */
export interface AnsweringThread {
	answer(request: ForwardedRequest, body: string): Promise<ForwardedAnswer>;
}

export interface ForwardingOptions {
	readonly declarations: Declarations;
	readonly authenticator: Authenticator;
	readonly bodies: Bodies;
	readonly senders: Senders;
	/** Decides whether a GraphQL body may contain a mutation. */
	readonly persisted: { mayMutate(body: string): boolean };
	readonly writer: AnsweringThread;
	readonly unread: UnreadAnswers;
	/** Answers on this thread. */
	readonly answerHere: (request: Request) => Promise<Response> | Response;
}

type Peers = Pick<Server<undefined>, "requestIP" | "timeout">;

const writing: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * Decides which requests the writer answers, and forwards them whole. So the order of checks, limits, stored answers
 * and errors are the same code in one place. This thread answers all others. It also rejects unauthorized callers
 * before it reads a body, by the ordinary app.
 */
export class Forwarding {
	readonly #options: ForwardingOptions;

	constructor(options: ForwardingOptions) {
		this.#options = options;
	}

	/** Returns undefined if this thread answers the request. */
	answer(request: Request, peers: Peers): Promise<Response> | undefined {
		if (!writing.has(request.method) || !URL.canParse(request.url)) return undefined;
		const path = pathOf(request.url);
		if (path === "/graphql") return this.#graphql(request, peers);
		const declared = this.#options.declarations.find(request.method, path);
		if (!declared || declared.isAnsweredHere || isAskedOfOthers(declared, request) || onlyReads(declared, request.url))
			return undefined;
		if (!this.#mayCall(request, peers, declared)) return undefined;
		if (declared.permit?.takesLong) peers.timeout(request, 0);
		return this.#forward(request, peers, bodySizeOf(request.method, declared.route));
	}

	/** GraphQL queries run on all HTTP threads. */
	async #graphql(request: Request, peers: Peers): Promise<Response> {
		const { bodies, persisted, answerHere } = this.#options;
		if (!this.#mayCall(request, peers, { permit: {} })) return answerHere(request);
		const size = bodySizeOf(request.method, "/graphql");
		const text = await bodies.text(request, size).catch(() => "");
		return persisted.mayMutate(text) ? this.#forward(request, peers, size) : answerHere(request);
	}

	#mayCall(request: Request, peers: Peers, { permit }: Pick<Declared, "permit">): boolean {
		// Routes without a permit authenticate the caller themselves, such as sign-in.
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
			// The writer meets other errors too and answers them.
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
			rejectRequest(request, error);
			return answerHere(request);
		}
	}
}

/**
 * Raw events go to their own thread, and calls of the writer by name need no router there. With an `Idempotency-Key`
 * the answer is stored in main.db, so the writer answers.
 */
const isAskedOfOthers = ({ permit }: Declared, { headers }: Request): boolean =>
	(permit?.body === "text" || permit?.asksWriter === true) && !headers.has("idempotency-key");

/** The comparison accepts only the spelling of our clients. Others go to the writer, which is always correct. */
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
