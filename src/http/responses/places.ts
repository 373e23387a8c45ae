import { fail } from "../../kernel/errors";
import type { Actor } from "../../kernel/work";
import { HttpRefusal } from "../refusal";

/**
 * The maximum number of open connections on one thread: in total, for an environment, and for a caller (a key, a
 * person, a link).
 */
export interface PlacesMax {
	readonly thread: number;
	readonly environment: number;
	readonly caller: number;
}

/** Seconds until a rejected caller may try again. */
const retryAfterSeconds = 5;

type Release = () => void;

/** Counts open connections, so that one caller or environment leaves capacity for others. */
export class Places {
	/** The plural noun for messages. */
	readonly #name: string;
	readonly #max: PlacesMax;
	readonly #taken = new Map<string, number>();

	constructor(name: string, max: PlacesMax) {
		this.#name = name;
		this.#max = max;
	}

	/** Takes a place of the thread, before the caller is known. HttpRefusal 503. */
	take(): Release {
		const { thread } = this.#max;
		if (this.#count("") >= thread)
			throw new HttpRefusal(503, `This server has ${thread} ${this.#name} open; try again shortly.`, {
				"Retry-After": String(retryAfterSeconds),
			});
		return this.#add("");
	}

	/** Takes a place of the caller and of its environment. Throws RateLimitExceeded. */
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
