import type { Transactions } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import type { PackagePublish } from "../../packages/schema";
import { latestPublications } from "../../packages/versions/operations";

/** A plan or an addon has a new version. */
export interface Publication {
	readonly migrationType: PackagePublish["migrationType"];
}

/** The shortest pause between two looks while the main file changes. */
const pauseMs = 100;

/** Watches for new published versions in an environment. */
export class WatchedPublications {
	readonly listeners = new Set<(publication: Publication) => void>();
	readonly #environmentId: string;
	readonly #transactions: Transactions;
	#epoch: number;
	#observedAtMs = performance.now();
	/** Row ids of versions. */
	#known: ReadonlySet<string>;

	constructor(environmentId: string, transactions: Transactions) {
		this.#environmentId = environmentId;
		this.#transactions = transactions;
		this.#epoch = transactions.epoch();
		this.#known = new Set(this.#latest().map(({ id }) => id));
	}

	/** Looks for new versions. Returns true: only future changes remain. */
	turn(_end: number): boolean {
		const epoch = this.#transactions.epoch();
		const nowMs = performance.now();
		if (epoch === this.#epoch || nowMs < this.#observedAtMs + pauseMs) return true;
		const latest = this.#latest();
		const published = latest.filter(({ id }) => !this.#known.has(id));
		this.#known = new Set(latest.map(({ id }) => id));
		this.#epoch = epoch;
		this.#observedAtMs = nowMs;
		for (const { publishedFor } of published)
			if (publishedFor) for (const listener of this.listeners) listener({ migrationType: publishedFor });
		return true;
	}

	#latest() {
		return this.#transactions.read(systemActor(this.#environmentId), latestPublications);
	}
}
