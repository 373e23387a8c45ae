import type { Log } from "../../http/log";
import type { Instant } from "../../kernel/clock";
import type { Transactions } from "../../kernel/work";
import { systemActor } from "../access/rules.actors";
import type { Item, Lane } from "./lane";
import { expiryTime } from "./rules";
import {
	deleteBefore,
	insertDeliveries,
	saveAttempts,
	saveCursor,
	saveDelivery,
	selectCursors,
	selectDeliveriesAfter,
} from "./store.deliveries";
import type { DeliveryCursorRow, DeliveryRow } from "./table.deliveries";

export interface OutcomesOptions {
	/** Writes deliveries.db. Only the deliverer writes this file. */
	readonly deliveries: Transactions;
	/** Calls to the thread that writes main.db. */
	readonly writer: { keepPositions(positions: ReadonlyArray<readonly [id: string, position: number]>): Promise<void> };
	readonly log: Log;
	/** The number of days for which deliveries are stored. */
	readonly keepDays: number;
	/** The machine's clock. */
	readonly now: () => Instant;
}

interface Outcome {
	readonly lane: Lane;
	readonly item: Item;
	readonly row: DeliveryRow;
}

const everywhere = systemActor("");

/** Intervals and batch sizes. */
const keepPositionsEveryMs = 60_000;
const purgeEveryMs = 60_000;
const purgedMax = 2000;
const erasedRowsMax = 500;

const nameOf = (environmentId: string, customerRef: string): string => `${environmentId} ${customerRef}`;

const withoutResponses = ({ id, attempts }: Pick<DeliveryRow, "id" | "attempts">) => ({
	id,
	attempts: attempts.map((attempt) => ({ ...attempt, body: null })),
});

/** Writes the outcomes of deliveries together with the position of each endpoint. */
export class Outcomes {
	readonly #options: OutcomesOptions;
	readonly #cursors: Map<string, DeliveryCursorRow>;
	/** Customers that were erased since the start. */
	readonly #erasedCustomers = new Set<string>();
	#unwritten: Outcome[] = [];
	#keepPositionsMs = performance.now() + keepPositionsEveryMs;
	#purgeMs = 0;

	constructor(options: OutcomesOptions) {
		this.#options = options;
		const cursors = options.deliveries.read(everywhere, selectCursors);
		this.#cursors = new Map(cursors.map((cursor) => [cursor.webhookId, cursor]));
	}

	get isEmpty(): boolean {
		return this.#unwritten.length === 0;
	}

	cursorOf(webhookId: string): DeliveryCursorRow | undefined {
		return this.#cursors.get(webhookId);
	}

	add(outcome: Outcome): void {
		const { event } = outcome.item;
		const isErased = this.#erasedCustomers.has(nameOf(event.environmentId, event.customerRef ?? ""));
		this.#unwritten.push(
			isErased ? { ...outcome, row: { ...outcome.row, ...withoutResponses(outcome.row) } } : outcome,
		);
	}

	/**
	 * Deletes the stored responses to a customer's events, one batch of the environment's deliveries at a time, starting
	 * after the last one of the previous batch. Responses that are still in flight are not stored. `ofCustomer` selects
	 * the customer's positions.
	 */
	eraseResponses(
		environmentId: string,
		customerRef: string,
		after: string,
		ofCustomer: (positions: readonly number[]) => ReadonlySet<number>,
	): { readonly changed: number; readonly next: string | undefined } {
		this.#erasedCustomers.add(nameOf(environmentId, customerRef));
		return this.#options.deliveries.write(systemActor(environmentId), (work) => {
			const rows = selectDeliveriesAfter(work, after, erasedRowsMax);
			const positions = ofCustomer(rows.map(({ position }) => position));
			const withResponses = rows.filter(
				({ position, attempts }) => positions.has(position) && attempts.some(({ body }) => body !== null),
			);
			for (const row of withResponses) saveAttempts(work, withoutResponses(row));
			return { changed: withResponses.length, next: rows.length === erasedRowsMax ? rows.at(-1)?.id : undefined };
		});
	}

	/** Writes the outcomes and the positions of the lanes. */
	write(lanes: Iterable<Lane>): void {
		const outcomes = this.#unwritten;
		this.#unwritten = [];
		const byLane = Map.groupBy(outcomes, ({ lane }) => lane);
		const cursors: Array<readonly [Lane, DeliveryCursorRow]> = [];
		for (const lane of new Set([...lanes, ...byLane.keys()])) {
			const cursor = cursorOf(
				lane,
				(byLane.get(lane) ?? []).map(({ item }) => item),
			);
			if (!lane.kept || !Bun.deepEquals(lane.kept, cursor)) cursors.push([lane, cursor]);
		}
		if (outcomes.length === 0 && !cursors.some(([lane, cursor]) => isWorthWriting(lane, cursor))) return;
		this.#options.deliveries.write(everywhere, (work) => {
			insertDeliveries(
				work,
				outcomes.filter(({ item }) => item.kind !== "retry").map(({ row }) => row),
			);
			for (const { item, row } of outcomes) if (item.kind === "retry") saveDelivery(work, row);
			for (const [, cursor] of cursors) saveCursor(work, cursor);
		});
		for (const { lane, item } of outcomes) lane.written(item);
		for (const [lane, cursor] of cursors) {
			lane.kept = cursor;
			this.#cursors.set(cursor.webhookId, cursor);
		}
		this.#keepPositions();
	}

	/** Copies the positions to main.db from time to time, so that a backup contains them. */
	#keepPositions(): void {
		if (performance.now() < this.#keepPositionsMs) return;
		this.#keepPositionsMs = performance.now() + keepPositionsEveryMs;
		const { writer: asks, log } = this.#options;
		const positions = [...this.#cursors].map(([id, { position }]) => [id, position + 1] as const);
		asks
			.keepPositions(positions)
			.catch((error) => log.warn({ err: error }, "could not store the positions of webhooks; Tollgate tries again"));
	}

	/** Deletes expired deliveries, one batch at a time. */
	purge(): void {
		if (performance.now() < this.#purgeMs) return;
		const { now, keepDays } = this.#options;
		const before = expiryTime(now(), keepDays);
		const removed = this.#options.deliveries.write(everywhere, (work) => deleteBefore(work, before, purgedMax));
		this.#purgeMs = performance.now() + (removed === purgedMax ? 0 : purgeEveryMs);
	}
}

const cursorOf = (lane: Lane, items: readonly Item[]): DeliveryCursorRow => ({
	webhookId: lane.webhook.id,
	position: lane.settledWith(items),
	failingSince: lane.failingSince,
	replaySequence: lane.replaySequence,
	replayPosition: lane.replayPosition,
});

/** Skipped events move the position with the next delivery, or after this many. */
const skippedMax = 1000;

const isWorthWriting = ({ kept }: Lane, cursor: DeliveryCursorRow): boolean =>
	!kept ||
	cursor.position - kept.position >= skippedMax ||
	cursor.replaySequence !== kept.replaySequence ||
	cursor.replayPosition !== kept.replayPosition;
