import type { Database as SqliteFile } from "bun:sqlite";
import type { Clock, Instant } from "../../../kernel/clock";

/** Sales that one step reads at most. */
const salesMax = 1000;

/** How far before a start sales are read again. A missed sale costs time at reads, and nothing else. */
const lookBackMs = 3_600_000;

/** A subscription or a promotional entitlement. */
export interface Sale {
	readonly id: string;
	readonly environment_id: string;
	readonly customer_id: string;
	/** The instant from which its usage periods are counted. */
	readonly at: Instant;
}

/** Follows new subscriptions and promotional entitlements, whose usage periods may begin within an hour. */
export class Sales {
	readonly #clock: Clock;
	readonly #select;
	/** The last sale that was read. */
	#readTo: string;
	/** The state of the main file without further sales. */
	#readAt: number | undefined;

	constructor(main: SqliteFile, clock: Clock) {
		this.#clock = clock;
		this.#select = main.prepare<Sale, [string, string, number]>(
			`SELECT * FROM (SELECT id, environment_id, customer_id, usage_anchor_at AS at FROM subscriptions WHERE id > ?
			UNION ALL SELECT id, environment_id, customer_id, start_at FROM promotional_entitlements WHERE id > ?)
			ORDER BY id LIMIT ?`,
		);
		this.#readTo = this.#first();
	}

	/** Returns the next sales. `epoch` is the state of the main file. */
	next(epoch: number): readonly Sale[] {
		if (epoch === this.#readAt) return [];
		const sales = this.#select.all(this.#readTo, this.#readTo, salesMax);
		this.#readTo = sales.at(-1)?.id ?? this.#readTo;
		if (sales.length < salesMax) this.#readAt = epoch;
		return sales;
	}

	/** Reads recent sales again after a rollback. */
	discard(): void {
		this.#readAt = undefined;
		this.#readTo = this.#first();
	}

	#first(): string {
		return idAt((this.#clock.now() - lookBackMs) as Instant);
	}
}

/** Returns the lowest UUIDv7 of an instant: it begins with its time. */
function idAt(at: Instant): string {
	const time = Math.max(0, at).toString(16).padStart(12, "0");
	return `${time.slice(0, 8)}-${time.slice(8)}`;
}
