import type { Instant } from "../../kernel/clock";
import type { Histogram } from "../../kernel/metrics/meter";
import { repeatably } from "../../kernel/storage/failures";
import { underEpoch } from "../../kernel/storage/remembered";
import type { Actor, Transactions, Work } from "../../kernel/work";
import type { Authenticator } from "../authentication/authenticator";
import type { Log } from "../log";
import { fastAnswer } from "./ahead";

/** Limits of the cache. When they are exceeded, all answers are evicted. */
const answersMax = 50_000;
const charactersMax = 32 * 1024 * 1024;

export interface Reply<Answer extends object = object> {
	/** The JSON body of a response with status 200. */
	readonly answer: Answer;
	/** The answer may change at this time without a write; null for never. */
	readonly until: Instant | null;
	/** Whether the usage in the answer has changed (`transactions.watchUsage`); undefined if it contains none. */
	readonly hasNewUsage: (() => boolean) | undefined;
}

/** Answers a checked request of an authorized caller, now or later. */
export type Question<Answer extends object = object> = (work: Work) => Reply<Answer>;

interface Kept {
	readonly question: Question;
	/** The answer is valid from this time on, because a clock may be set back. */
	from: Instant;
	/** See `Reply`. */
	until: Reply["until"];
	hasNewUsage: Reply["hasNewUsage"];
	/** The response text, whose size is known. */
	body: string;
	/** The times of requests to its route; undefined if nothing is measured. */
	readonly times: Histogram | undefined;
}

/** The answers of one epoch of main.db. */
interface Answers {
	/** By key. The rights of a key do not change within an epoch. */
	readonly byKey: Map<string, AnswersOfKey>;
	count: number;
	/** The length of all answers and their URLs. */
	characters: number;
}

interface AnswersOfKey {
	readonly actor: Actor;
	readonly byAddress: Map<string, Kept>;
}

export interface AnswerCacheOptions {
	readonly transactions: Transactions;
	readonly authenticator: Authenticator;
	readonly log: Log;
	/** Returns the times of successful requests to the route of a URL. */
	readonly timesOf?: ((url: string) => Histogram) | undefined;
}

/**
 * Serves repeated reads before the router. Routes add their answers. The same request with the same key gets the same
 * bytes until main.db changes. After new usage, or when the answer's time has passed, it is computed again. All other
 * requests go to the router, which returns the same result more slowly.
 */
export class AnswerCache {
	readonly #transactions: Transactions;
	readonly #authenticator: Authenticator;
	readonly #log: Log;
	readonly #kept: () => Answers;
	readonly #timesOf: AnswerCacheOptions["timesOf"];

	constructor({ transactions, authenticator, log, timesOf }: AnswerCacheOptions) {
		this.#transactions = transactions;
		this.#kept = underEpoch(transactions.epoch, () => ({ byKey: new Map(), count: 0, characters: 0 }));
		this.#authenticator = authenticator;
		this.#timesOf = timesOf;
		this.#log = log;
	}

	/** Returns the answer to a repeated request; undefined sends it to the router. */
	find(request: Request): Response | undefined {
		const { headers } = request;
		// Requests with these headers need further response headers (cors.ts, requests.ts).
		if (headers.has("origin") || headers.has("x-forwarded-proto")) return undefined;
		const begunAtMs = this.#timesOf ? performance.now() : 0;
		const kept = this.#find(request);
		if (!kept) return undefined;
		const response = fastAnswer(kept.body, headers);
		kept.times?.observeSince(begunAtMs);
		return response;
	}

	/** Like `find`, for a route that sets its own headers. */
	bodyOf(request: Request): string | undefined {
		return this.#find(request)?.body;
	}

	#find({ method, headers, url }: Request): Kept | undefined {
		// The log needs a line for each response, so debug logging disables the cache while it lasts.
		if (method !== "GET" || this.#log.isLevelEnabled("debug")) return undefined;
		const secret = headers.get("x-api-key");
		if (secret === null) return undefined;
		const all = this.#kept();
		const own = all.byKey.get(secret);
		const kept = own?.byAddress.get(url);
		if (!own || !kept) return undefined;
		this.#authenticator.noteUse(own.actor);
		return this.#holds(kept, own.actor) ? kept : this.#askAgain(all, kept, own.actor);
	}

	/** Answers for a route, and caches the answer if the key alone identifies the caller. */
	answer<Answer extends object>({ headers, url }: Request, work: Work, question: Question<Answer>): Answer {
		// Read before the answer is computed, because a write in the meantime starts another epoch.
		const all = this.#kept();
		const { answer, until, hasNewUsage } = question(work);
		const { actor, now } = work;
		const secret = headers.get("x-api-key");
		if (secret !== null && this.#authenticator.knownActor(secret) === actor) {
			const body = JSON.stringify(answer);
			keep(all, { secret, actor }, url, { until, hasNewUsage, question, from: now, body, times: this.#timesOf?.(url) });
		}
		return answer;
	}

	#holds({ hasNewUsage, from, until }: Kept, { environmentId }: Actor): boolean {
		if (hasNewUsage?.()) return false;
		const now = this.#transactions.now(environmentId);
		return from <= now && (until === null || now < until);
	}

	#askAgain(all: Answers, kept: Kept, actor: Actor): Kept | undefined {
		try {
			return this.#readAgain(actor, (work) => {
				const { answer, until, hasNewUsage } = kept.question(work);
				const body = JSON.stringify(answer);
				all.characters += body.length - kept.body.length;
				kept.body = body;
				kept.until = until;
				kept.hasNewUsage = hasNewUsage;
				kept.from = work.now;
				return kept;
			});
		} catch {
			// The router meets the same error, and reports it or waits.
			return undefined;
		}
	}

	#readAgain(actor: Actor, body: (work: Work) => Kept): Kept {
		return repeatably(() => this.#transactions.read(actor, body));
	}
}

function keep(all: Answers, { secret, actor }: { secret: string; actor: Actor }, address: string, kept: Kept): void {
	if (all.count >= answersMax || all.characters > charactersMax) clear(all);
	const { byAddress } = all.byKey.get(secret) ?? begin(all, secret, actor);
	const before = byAddress.get(address);
	byAddress.set(address, kept);
	all.characters += kept.body.length - (before?.body.length ?? 0);
	if (before) return;
	all.count += 1;
	all.characters += address.length;
}

function begin({ byKey }: Answers, secret: string, actor: Actor): AnswersOfKey {
	const own = { actor, byAddress: new Map<string, Kept>() };
	byKey.set(secret, own);
	return own;
}

function clear(answers: Answers): void {
	answers.byKey.clear();
	answers.count = 0;
	answers.characters = 0;
}
