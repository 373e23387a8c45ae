import type { Instant } from "../../kernel/clock";
import type { OutgoingEvent } from "./store";
import type { WebhookRow } from "./table";
import type { DeliveryCursorRow, DeliveryRow } from "./table.deliveries";

/** A message to send: a new event, a replay, or a retry. */
export interface Item {
	readonly kind: "new" | "replay" | "retry";
	readonly event: OutgoingEvent;
	/** The stored delivery; undefined before the first attempt. */
	readonly delivery?: DeliveryRow;
}

/** Limits of one lane: queued messages, and concurrent requests. Slow and failing endpoints get fewer. */
export const queuedMax = 1000;
const sendingMax = 64;
const sendingFirst = 8;
const slowMs = 1000;

/** The queue of one endpoint: waiting messages, messages in flight, and its position in the outbox. */
export class Lane {
	webhook: WebhookRow;
	/** The last position of the outbox that was read. */
	readTo: number;
	/** The time of the earliest retry; 0 means that it must be looked up. */
	dueAt = 0;
	failingSince: Instant | null;
	replaySequence: number;
	/** The last position of the current replay that was sent; null if there is no replay. */
	replayPosition: number | null;
	/** The last position of the current part of the replay. */
	replayPart: number | undefined;
	hasLookedForReplays = false;
	isDisabled = false;
	kept: DeliveryCursorRow | undefined;
	#waiting: Item[] = [];
	/** Positions of new events that are queued, in flight, or whose outcome is unwritten, in ascending order. */
	readonly #open = new Set<number>();
	readonly #replaying = new Set<number>();
	readonly #retrying = new Set<string>();
	/** Entities with a message in flight. Further messages about them wait, so that events of an entity arrive in order. */
	readonly #entities = new Set<string>();
	#sending = 0;
	#sendingMax = sendingFirst;

	constructor(webhook: WebhookRow, cursor: DeliveryCursorRow | undefined, lastPosition: number) {
		this.webhook = webhook;
		// A restored file may be older than the sent events. The outbox then reuses positions after its end.
		this.readTo = Math.min(lastPosition, Math.max(cursor?.position ?? 0, webhook.fromPosition - 1));
		this.failingSince = cursor?.failingSince ?? null;
		this.replaySequence = cursor?.replaySequence ?? 0;
		this.replayPosition = cursor?.replayPosition ?? null;
		this.kept = cursor;
	}

	get capacity(): number {
		return queuedMax - this.#waiting.length;
	}

	get hasWork(): boolean {
		return this.#waiting.length > 0 || this.#sending > 0;
	}

	add(item: Item): void {
		if (item.kind === "new") this.#open.add(item.event.position);
		if (item.kind === "replay") this.#replaying.add(item.event.position);
		if (item.delivery && item.kind === "retry") this.#retrying.add(item.delivery.id);
		this.#waiting.push(item);
	}

	isRetrying(id: string): boolean {
		return this.#retrying.has(id);
	}

	get isReplaying(): boolean {
		return this.#replaying.size > 0;
	}

	/** Returns the next message whose entity has no message in flight. */
	take(): Item | undefined {
		if (this.#sending >= this.#sendingMax) return undefined;
		const at = this.#waiting.findIndex(({ event }) => !this.#entities.has(event.entityId));
		if (at === -1) return undefined;
		const [item] = at === 0 ? [this.#waiting.shift()] : this.#waiting.splice(at, 1);
		if (!item) return undefined;
		this.#entities.add(item.event.entityId);
		this.#sending += 1;
		return item;
	}

	answered({ event }: Item, isGood: boolean, durationMs: number): void {
		this.#entities.delete(event.entityId);
		this.#sending -= 1;
		const isFast = isGood && durationMs < slowMs;
		this.#sendingMax = isFast ? Math.min(sendingMax, this.#sendingMax + 1) : Math.max(1, this.#sendingMax >> 1);
	}

	/** The outcome of a message is on disk. */
	written({ kind, event, delivery }: Item): void {
		if (kind === "new") this.#open.delete(event.position);
		if (kind === "replay") this.#replaying.delete(event.position);
		if (kind === "retry" && delivery) this.#retrying.delete(delivery.id);
	}

	/**
	 * Returns the position up to which all events are settled: delivered, stored as failed, or not subscribed. Treats
	 * `items` as written.
	 */
	settledWith(items: readonly Item[]): number {
		const being = new Set(items.filter(({ kind }) => kind === "new").map(({ event }) => event.position));
		// The set is ordered by position, so the first remaining position is the oldest.
		for (const position of this.#open) if (!being.has(position)) return position - 1;
		return this.readTo;
	}

	/** Empties the lane of a disabled or deleted endpoint. Its messages are read again when it is enabled. */
	clear(): void {
		this.#waiting = [];
	}
}
