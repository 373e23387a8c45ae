import { ResolvedCache } from "../../areas/entitlements/operations.remembered";
import { AnswerCache, type Question } from "../../http/fast-path/answer-cache";
import { type Instant, parseInstant } from "../../kernel/clock";
import { DomainError } from "../../kernel/errors";
import { earliest } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import type { Services } from "../../server/context";
import { loadFixed, type RunFixed } from "./fixed";

/** What an address answers: an operation of ours, and whose access it tells of, where it tells of any. */
export interface FixedAnswer {
	readonly document: string;
	readonly variables: Readonly<Record<string, unknown>>;
	/** The caller's ids. */
	readonly holder?: { readonly customerId: string; readonly resourceId: string | null };
	/** What stands in `data`; as GraphQL answers it where left out. */
	readonly data?: (data: Readonly<Record<string, unknown>>) => unknown;
}

type Read = (body: (work: Work) => string) => string | Promise<string>;

/**
 * The bodies of fixed addresses, kept until what they tell of has changed: the main file, the customer's usage, or the time at
 * which access begins or ends. Each has a tag of its content, so that whoever has it already is told so, from what is kept.
 */
export class FixedAnswers {
	readonly #answers: AnswerCache;
	readonly #resolve: ResolvedCache["resolve"];

	constructor(readonly services: Services) {
		this.#answers = new AnswerCache(services);
		this.#resolve = new ResolvedCache(services.transactions).resolve;
	}

	/** 200 or 304; what is wrong is told as GraphQL tells it, with status 200. */
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

	/** A repeated request with the tag gets 304. The answer belongs to the caller: no shared cache may keep it. */
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

/** When what is told of access ends, wherever it is told. */
function validUntilsIn(value: unknown): Instant[] {
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]): Instant[] => {
		const until = name === "validUntil" && typeof inner === "string" ? parseInstant(inner) : undefined;
		return until === undefined ? validUntilsIn(inner) : [until];
	});
}
