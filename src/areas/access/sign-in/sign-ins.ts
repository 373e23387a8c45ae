import pLimit from "p-limit";
import { SlidingWindow } from "../../../http/limits/sliding-window";
import { HttpRefusal } from "../../../http/refusal";
import { fail } from "../../../kernel/errors";
import { KnownNetworks } from "./known-networks";
import { accountDelayMs, accountWindowMs, accountWrongMax, wrongMax, wrongWindowMs } from "./rules";

/** Bounds the memory; the oldest accounts and networks are evicted. */
const accountsMax = 10_000;

/** A verification takes 64 MiB and a tenth of a second of a core, so two run at once. */
const verifiedAtOnceMax = 2;

/** About five seconds of verifications. Further attempts are rejected and can be repeated. */
const waitingMax = 100;

/** The account of an attempt and its network. */
export interface Origin {
	readonly email: string;
	readonly network: string;
}

/**
 * Verifies a few passwords at a time and limits wrong ones (docs/decisions/0020-pauses-after-wrong-passwords.md). Ten
 * wrong ones pause an account for the network that sent them. Wrong ones for ten accounts pause the network. Many for
 * one account from several networks delay it for networks without a former sign-in.
 */
export class SignIns {
	readonly #pairs = new SlidingWindow(wrongMax, wrongWindowMs);
	readonly #networks = new SlidingWindow(wrongMax, wrongWindowMs);
	readonly #accounts = new SlidingWindow(accountWrongMax, accountWindowMs, accountsMax);
	readonly #known = new KnownNetworks();
	readonly #verifying = pLimit(verifiedAtOnceMax);
	readonly #clockMs: () => number;

	/** `clockMs` is a monotonic clock. */
	constructor(clockMs: () => number) {
		this.#clockMs = clockMs;
	}

	/**
	 * Whether the password is right. An attempt counts as wrong until it is verified, so concurrent attempts cannot
	 * exceed the limits. Throws RateLimitExceeded.
	 */
	async attempt(origin: Origin, isRight: () => Promise<boolean>): Promise<boolean> {
		this.#assertNotPaused(origin);
		return this.oneAfterAnother(async () => {
			// Other attempts may have failed while this one waited.
			this.#assertNotPaused(origin);
			const uncount = this.#countWrong(origin);
			const right = await isRight();
			if (right) uncount();
			return right;
		});
	}

	/** Records a complete sign-in to an account from a network. */
	noteSignIn(origin: Origin): void {
		this.#known.add(pairOf(origin));
	}

	/** Runs a slow computation, such as a password hash, within the same concurrency limit. */
	oneAfterAnother<T>(run: () => Promise<T>): Promise<T> {
		if (this.#verifying.pendingCount >= waitingMax)
			throw new HttpRefusal(503, "Many people are signing in at once; try again shortly.", { "Retry-After": "1" });
		return this.#verifying(run);
	}

	/** Returns a function that reverts the count. */
	#countWrong(origin: Origin): () => void {
		const now = this.#clockMs();
		const pair = pairOf(origin);
		// A network counts accounts, not passwords, so one person with a wrong password does not pause an office.
		const isFirst = this.#pairs.callsOf(pair, now).calls === 0;
		const limits: ReadonlyArray<readonly [SlidingWindow, string]> = [
			[this.#pairs, pair],
			...(isFirst ? ([[this.#networks, origin.network]] as const) : []),
			...(this.#known.has(pair) ? [] : ([[this.#accounts, origin.email]] as const)),
		];
		const counted = limits.filter(([window, key]) => window.count(key, now).allowed);
		return () => {
			for (const [window, key] of counted) window.uncount(key);
		};
	}

	#assertNotPaused(origin: Origin): void {
		const now = this.#clockMs();
		const pair = pairOf(origin);
		if (this.#pairs.isFull(pair, now) || this.#networks.isFull(origin.network, now))
			throw fail("RateLimitExceeded", "Too many wrong passwords from your network; try again in ten minutes.");
		if (this.#known.has(pair)) return;
		const { calls, newestMs } = this.#accounts.callsOf(origin.email, now);
		const waitMs = newestMs + accountDelayMs(calls) - now;
		if (waitMs > 0)
			throw fail(
				"RateLimitExceeded",
				`Too many wrong passwords for this account from several networks; try again in ${Math.ceil(waitMs / 1000)} seconds, or from a network where you have signed in before.`,
			);
	}
}

const pairOf = ({ email, network }: Origin): string => `${network} ${email}`;
