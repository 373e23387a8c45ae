import type { Instant } from "../../kernel/clock";
import { underEpoch } from "../../kernel/storage/remembered";
import type { Actor, Transactions, Work } from "../../kernel/work";
import type { Authenticator } from "../authentication/authenticator";
import type { Log } from "../log";
import { answerAhead } from "./ahead";

/** Our choices: how many answers are kept, and how much text they and their addresses have; beyond it all are forgotten. */
const answersMax = 50_000;
const charactersMax = 32 * 1024 * 1024;

export interface Reply<Answer extends object = object> {
	/** What is sent as JSON, with status 200. */
	readonly answer: Answer;
	/** From then on the answer may be another one, though nothing was written; null: never. */
	readonly until: Instant | null;
	/** Whether the usage that it tells of is another by now (`transactions.watchUsage`); undefined where it tells of none. */
	readonly hasNewUsage: (() => boolean) | undefined;
}

/** Answers one request, at any time: what it asks for has been read and checked, and its caller may ask it. */
export type Question<Answer extends object = object> = (work: Work) => Reply<Answer>;

interface Kept {
	readonly question: Question;
	/** It holds from this instant on: a clock may be turned back. */
	from: Instant;
	/** See `Reply`. */
	until: Reply["until"];
	hasNewUsage: Reply["hasNewUsage"];
	/** The answer as it is sent: a text has a size that can be counted, the object that it is made of has not. */
	body: string;
}

/** What is kept under one epoch of the main file. */
interface Answers {
	/** By the key that asked: as long as the epoch is the same, so is what the key may do. */
	readonly byKey: Map<string, AnswersOfKey>;
	count: number;
	/** Of all answers and their addresses. */
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
		this.#kept = underEpoch(transactions.epoch, () => ({ byKey: new Map(), count: 0, characters: 0 }));
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
		return body === undefined ? undefined : answerAhead(body, headers);
	}

	/** As `find`, for a route that answers with headers of its own. */
	bodyOf({ method, headers, url }: Request): string | undefined {
		if (this.#isOff || method !== "GET") return undefined;
		const secret = headers.get("x-api-key");
		if (secret === null) return undefined;
		const all = this.#kept();
		const own = all.byKey.get(secret);
		const kept = own?.byAddress.get(url);
		if (!own || !kept) return undefined;
		this.#authenticator.noteUse(own.actor);
		return this.#holds(kept, own.actor) ? kept.body : this.#askAgain(all, kept, own.actor);
	}

	/** Answers for a route, and keeps the answer where the caller's key alone says that the same caller may have it again. */
	answer<Answer extends object>({ headers, url }: Request, work: Work, question: Question<Answer>): Answer {
		// Before it is asked: what is written meanwhile begins another epoch, in which the answer may be another.
		const all = this.#kept();
		const { answer, until, hasNewUsage } = question(work);
		const { actor, now } = work;
		const secret = headers.get("x-api-key");
		if (secret !== null && this.#authenticator.knownActor(secret) === actor) {
			const body = JSON.stringify(answer);
			keep(all, { secret, actor }, url, { until, hasNewUsage, question, from: now, body });
		}
		return answer;
	}

	#holds({ hasNewUsage, from, until }: Kept, { environmentId }: Actor): boolean {
		if (hasNewUsage?.()) return false;
		const now = this.#transactions.now(environmentId);
		return from <= now && (until === null || now < until);
	}

	#askAgain(all: Answers, kept: Kept, actor: Actor): string | undefined {
		try {
			return this.#transactions.read(actor, (work) => {
				const { answer, until, hasNewUsage } = kept.question(work);
				const body = JSON.stringify(answer);
				all.characters += body.length - kept.body.length;
				kept.body = body;
				kept.until = until;
				kept.hasNewUsage = hasNewUsage;
				kept.from = work.now;
				return body;
			});
		} catch {
			// The ordinary way meets the same, and says it as it says every failure.
			return undefined;
		}
	}
}

function keep(all: Answers, { secret, actor }: { secret: string; actor: Actor }, address: string, kept: Kept): void {
	if (all.count >= answersMax || all.characters > charactersMax) forget(all);
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

function forget(answers: Answers): void {
	answers.byKey.clear();
	answers.count = 0;
	answers.characters = 0;
}
