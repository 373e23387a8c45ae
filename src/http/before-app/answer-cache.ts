import type { Instant } from "../../kernel/clock";
import { underEpoch } from "../../kernel/storage/remembered";
import type { Actor, Transactions, Work } from "../../kernel/work";
import { securityHeaders } from "../answers/headers";
import type { Authenticator } from "../callers/authenticator";
import type { Log } from "../log";
import { newRequestId } from "../requests";

/** Our choices: how many answers are kept, and how much text they and their addresses have; beyond it all are forgotten. */
const answersMax = 50_000;
const charactersMax = 32 * 1024 * 1024;

export interface Reply<Answer extends object = object> {
	/** What is sent as JSON, with status 200. */
	readonly answer: Answer;
	/** From then on the answer may be another one, though nothing was written; null: never. */
	readonly until: Instant | null;
	/** Whose usage it tells of, and how that stood before it was read; undefined where it tells of none. */
	readonly usage: UsageRead | undefined;
}

export interface UsageRead {
	/** Row id. */
	readonly customerId: string;
	/** As `transactions.usageOf` gave it. */
	readonly version: number;
}

/** Answers one request, at any time: what it asks for has been read and checked, and its caller may ask it. */
export type Question<Answer extends object = object> = (work: Work) => Reply<Answer>;

interface Kept extends Pick<Reply, "until" | "usage"> {
	readonly question: Question;
	/** It holds from this instant on: a clock may be turned back. */
	readonly from: Instant;
	/** The answer as it is sent: a text has a size that can be counted, the object that it is made of has not. */
	readonly body: string;
}

/** What is kept under one epoch of the main file. */
interface Answers {
	/** By caller, then by address. */
	readonly byCaller: Map<Actor, Map<string, Kept>>;
	count: number;
	/** Of all answers and their addresses. */
	characters: number;
}

export interface AnswerCacheOptions {
	readonly transactions: Transactions;
	readonly authenticator: Authenticator;
	readonly log: Log;
}

/**
 * Answers the hottest reads before the framework sees them. A route hands in what it has answered; the same request by the
 * same key gets the same bytes until the main file changes, and is answered anew when usage was counted or the answer's
 * time has passed. Whatever is not plainly the same request goes the ordinary way: one meaning, two speeds.
 */
export class AnswerCache {
	readonly #transactions: Transactions;
	readonly #authenticator: Authenticator;
	readonly #isOff: boolean;
	readonly #kept: () => Answers;

	constructor({ transactions, authenticator, log }: AnswerCacheOptions) {
		this.#transactions = transactions;
		this.#kept = underEpoch(transactions.epoch, () => ({ byCaller: new Map(), count: 0, characters: 0 }));
		this.#authenticator = authenticator;
		// The ordinary way writes a line for each answer.
		this.#isOff = log.isLevelEnabled("debug");
	}

	/** The answer to a request that was answered before; undefined for any other, which goes the ordinary way. */
	find(request: Request): Response | undefined {
		const { headers } = request;
		// Both of these ask for headers of their own (cors.ts, requests.ts).
		if (headers.has("origin") || headers.has("x-forwarded-proto")) return undefined;
		const body = this.bodyOf(request);
		if (body === undefined) return undefined;
		return new Response(body, {
			headers: {
				"x-request-id": newRequestId(headers),
				...securityHeaders,
				"content-type": "application/json;charset=utf-8",
			},
		});
	}

	/** As `find`, for a route that answers with headers of its own. */
	bodyOf({ method, headers, url }: Request): string | undefined {
		if (this.#isOff || method !== "GET") return undefined;
		const actor = this.#authenticator.knownActor(headers.get("x-api-key"));
		const kept = actor && this.#kept().byCaller.get(actor)?.get(url);
		if (!kept) return undefined;
		return this.#holds(kept, actor) ? kept.body : this.#askAgain(actor, url, kept.question);
	}

	/** Answers for a route, and keeps the answer where the caller's key alone says that the same caller may have it again. */
	answer<Answer extends object>(request: Request, work: Work, question: Question<Answer>): Answer {
		const { answer, until, usage } = question(work);
		const actor = this.#authenticator.knownActor(request.headers.get("x-api-key"));
		if (actor === work.actor)
			this.#keep(actor, request.url, { until, usage, question, from: work.now, body: JSON.stringify(answer) });
		return answer;
	}

	#holds({ usage, from, until }: Kept, { environmentId }: Actor): boolean {
		if (usage && usage.version !== this.#transactions.usageOf(usage.customerId)) return false;
		const now = this.#transactions.now(environmentId);
		return from <= now && (until === null || now < until);
	}

	#askAgain(actor: Actor, address: string, question: Question): string | undefined {
		try {
			return this.#transactions.read(actor, (work) => {
				const { answer, until, usage } = question(work);
				const body = JSON.stringify(answer);
				this.#keep(actor, address, { until, usage, question, from: work.now, body });
				return body;
			});
		} catch {
			// The ordinary way meets the same, and says it as it says every failure.
			return undefined;
		}
	}

	#keep(actor: Actor, address: string, kept: Kept): void {
		const all = this.#kept();
		if (all.count >= answersMax || all.characters > charactersMax) forget(all);
		const own = all.byCaller.get(actor) ?? new Map<string, Kept>();
		all.byCaller.set(actor, own);
		const before = own.get(address);
		own.set(address, kept);
		all.characters += kept.body.length - (before?.body.length ?? 0);
		if (before) return;
		all.count += 1;
		all.characters += address.length;
	}
}

function forget(answers: Answers): void {
	answers.byCaller.clear();
	answers.count = 0;
	answers.characters = 0;
}
