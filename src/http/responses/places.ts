import { fail } from "../../kernel/errors";
import type { Actor } from "../../kernel/work";
import { HttpRefusal } from "../refusal";

/** The most that are open at a time on one thread: altogether, of one environment, and of one caller (a key, a person, a link). */
export interface PlacesMax {
	readonly thread: number;
	readonly environment: number;
	readonly caller: number;
}

/** Our choice: when a refused caller may try again. */
const retryAfterSeconds = 5;

type Release = () => void;

/** Counts connections that stay open, so that one caller or one environment leaves places for the others. */
export class Places {
	/** In plural. */
	readonly #name: string;
	readonly #max: PlacesMax;
	readonly #taken = new Map<string, number>();

	constructor(name: string, max: PlacesMax) {
		this.#name = name;
		this.#max = max;
	}

	/** Takes one of the thread's places, also for a caller that is not known yet. HttpRefusal 503. */
	take(): Release {
		const { thread } = this.#max;
		if (this.#count("") >= thread)
			throw new HttpRefusal(503, `This server has ${thread} ${this.#name} open; try again shortly.`, {
				"Retry-After": String(retryAfterSeconds),
			});
		return this.#add("");
	}

	/** Takes one of the caller's places, and one of its environment's. RateLimitExceeded. */
	takeFor({ environmentId, id }: Pick<Actor, "environmentId" | "id">): Release {
		const environment = JSON.stringify([environmentId]);
		const caller = JSON.stringify([environmentId, id]);
		if (this.#count(caller) >= this.#max.caller) throw this.#tooMany(`The caller '${id}'`, this.#max.caller);
		if (this.#count(environment) >= this.#max.environment)
			throw this.#tooMany("This environment", this.#max.environment);
		const releases = [this.#add(caller), this.#add(environment)];
		return () => {
			for (const release of releases) release();
		};
	}

	#tooMany(whose: string, max: number) {
		return fail(
			"RateLimitExceeded",
			`${whose} has ${max} ${this.#name} open, the most that one may have; close some, then try again.`,
		);
	}

	#count(key: string): number {
		return this.#taken.get(key) ?? 0;
	}

	#add(key: string): Release {
		this.#taken.set(key, this.#count(key) + 1);
		let isTaken = true;
		return () => {
			if (!isTaken) return;
			isTaken = false;
			const left = this.#count(key) - 1;
			if (left > 0) this.#taken.set(key, left);
			else this.#taken.delete(key);
		};
	}
}
