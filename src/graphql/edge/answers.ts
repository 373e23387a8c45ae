import { ResolvedCache } from "../../areas/entitlements/operations.remembered";
import { AnswerCache, type Question } from "../../http/fast-path/answer-cache";
import { type Instant, parseInstant } from "../../kernel/clock";
import { DomainError } from "../../kernel/errors";
import { earliest } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import type { Services } from "../../server/context";
import { loadFixed, type RunFixed } from "./fixed";

/** The response of an edge address: a fixed operation, and the customer whose access it shows. */
export interface FixedAnswer {
	readonly document: string;
	readonly variables: Readonly<Record<string, unknown>>;
	/** The caller's ids of the customer and the resource. */
	readonly holder?: { readonly customerId: string; readonly resourceId: string | null };
	/** Maps the `data` of GraphQL. */
	readonly data?: (data: Readonly<Record<string, unknown>>) => unknown;
}

type Read = (body: (work: Work) => string) => string | Promise<string>;

/**
 * The cached bodies of edge addresses. A body is valid until the main file or the customer's usage changes, or until access
 * begins or ends. Each has an ETag of its content, so a repeated request gets 304 from the cache.
 */
export class FixedAnswers {
	readonly #answers: AnswerCache;
	readonly #resolve: ResolvedCache["resolve"];

	constructor(readonly services: Services) {
		this.#answers = new AnswerCache(services);
		this.#resolve = new ResolvedCache(services.transactions).resolve;
	}

	/** 200 or 304. Errors are in GraphQL's format with status 200. */
	async answer(request: Request, read: Read, asked: FixedAnswer): Promise<Response> {
		try {
			return this.#tagged(request, await this.body(request, read, asked));
		} catch (error) {
			if (!(error instanceof DomainError)) throw error;
			const { message, code } = error;
			return Response.json({ data: null, errors: [{ message, extensions: { code } }] });
		}
	}

	/** As JSON. */
	async body(request: Request, read: Read, asked: FixedAnswer): Promise<string> {
		const run = await loadFixed();
		return (
			this.#answers.bodyOf(request) ??
			read((work) => JSON.stringify(this.#answers.answer(request, work, this.#question(run, asked))))
		);
	}

	/** 304 for a request with the current tag. The response belongs to the caller, so shared caches may not store it. */
	#tagged(request: Request, body: string): Response {
		const tag = `"${Bun.hash(body).toString(36)}"`;
		const headers = { etag: tag, "cache-control": "private, no-cache", vary: "X-API-KEY" };
		const known = request.headers.get("if-none-match")?.split(",") ?? [];
		if (known.some((one) => one.trim().replace(/^W\//, "") === tag))
			return new Response(null, { status: 304, headers });
		return this.services.unread.respond(body, {
			headers: { ...headers, "content-type": "application/json;charset=utf-8" },
		});
	}

	#question(run: RunFixed, { document, variables, holder, data: shown = (data) => data }: FixedAnswer): Question {
		return (work) => {
			const access = holder && this.#resolve(work, holder.customerId, holder.resourceId);
			const customerId = access?.customerId;
			const hasNewUsage = customerId ? work.watchUsage(customerId) : undefined;
			const data = run(work, document, variables);
			const until = access ? earliest([access.changesAt, ...validUntilsIn(data)]) : null;
			return { answer: { data: shown(data) }, until, hasNewUsage };
		};
	}
}

/** All instants at which shown access ends. */
function validUntilsIn(value: unknown): Instant[] {
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]): Instant[] => {
		const until = name === "validUntil" && typeof inner === "string" ? parseInstant(inner) : undefined;
		return until === undefined ? validUntilsIn(inner) : [until];
	});
}
