import pLimit from "p-limit";
import { SlidingWindow } from "../../../http/limits/sliding-window";
import { HttpRefusal } from "../../../http/refusal";
import { fail } from "../../../kernel/errors";

/** Source: docs/interface/access.md: "ten wrong passwords in ten minutes for one email or address pause it". */
const wrongPasswordsMax = 10;
const wrongPasswordsWindowMs = 10 * 60 * 1000;

/** Our choice: one takes 64 MiB and a tenth of a second of a core on purpose, so two are verified at once. */
const verifiedAtOnceMax = 2;

/** Our choice: what is verified within some five seconds. Whoever comes then may try again. */
const waitingMax = 100;

/** Lets few passwords be verified at once, and pauses whoever sends wrong ones. */
export class SignIns {
	readonly #wrong = new SlidingWindow(wrongPasswordsMax, wrongPasswordsWindowMs);
	readonly #verifying = pLimit(verifiedAtOnceMax);
	readonly #clockMs: () => number;

	/** `clockMs` is a monotonic clock. */
	constructor(clockMs: () => number) {
		this.#clockMs = clockMs;
	}

	/**
	 * Whether the password is right. An attempt counts as a wrong one, for each of `keys`, before it is verified, and is
	 * taken back when it was right: of however many that come at once, no more than the ten are looked at.
	 */
	async attempt(keys: readonly string[], isRight: () => Promise<boolean>): Promise<boolean> {
		this.#assertNotPaused(keys);
		return this.oneAfterAnother(async () => {
			// Asked again: others may have been wrong while this one waited.
			this.#assertNotPaused(keys);
			for (const key of keys) this.#wrong.count(key, this.#clockMs());
			const right = await isRight();
			if (right) for (const key of keys) this.#wrong.takeBack(key);
			return right;
		});
	}

	/** What takes as long as a password that is verified: with those, few at once. */
	oneAfterAnother<T>(run: () => Promise<T>): Promise<T> {
		if (this.#verifying.pendingCount >= waitingMax)
			throw new HttpRefusal(503, "Many people are signing in at once; try again shortly.", { "Retry-After": "1" });
		return this.#verifying(run);
	}

	#assertNotPaused(keys: readonly string[]): void {
		if (keys.some((key) => this.#wrong.isFull(key, this.#clockMs())))
			throw fail("RateLimitExceeded", "Too many wrong passwords; try again in ten minutes.");
	}
}
