import type { Instant } from "../../kernel/clock";
import type { OutgoingEvent } from "./store";
import type { WebhookRow } from "./table";
import type { DeliveryCursorRow, DeliveryRow } from "./table.deliveries";

/** Something to be sent: for the first time, once more on request, or again after it failed. */
export interface Item {
	readonly kind: "new" | "replay" | "retry";
	readonly event: OutgoingEvent;
	/** As it is kept so far; undefined for what was never tried. */
	readonly delivery?: DeliveryRow;
}

/** Our choices: what waits in memory, and how many are sent at once to one endpoint: fewer to one that is slow or fails. */
export const queuedMax = 1000;
const sendingMax = 64;
const sendingFirst = 8;
const slowMs = 1000;

/** One endpoint: what waits for it, what is on its way, and how far it has been told. */
export class Lane {
	webhook: WebhookRow;
	/** Up to here events have been read. */
	readTo: number;
	/** When the first of those that failed is tried again; 0: to be looked up. */
	dueAt = 0;
	failingSince: Instant | null;
	replaySequence: number;
	/** Up to where the replay that is under way has been sent; null: none is. */
	replayPosition: number | null;
	/** The last position of the part of a replay that is under way. */
	replayPart: number | undefined;
	hasLookedForReplays = false;
	isDisabled = false;
	kept: DeliveryCursorRow | undefined;
	#waiting: Item[] = [];
	/** Of new events: positions that are waiting or on their way, or whose outcome is not written yet, in their order. */
	readonly #open = new Set<number>();
	readonly #replaying = new Set<number>();
	readonly #retrying = new Set<string>();
	/** What one of these is about waits until it is answered, so that its events arrive in their order. */
	readonly #entities = new Set<string>();
	#sending = 0;
	#sendingMax = sendingFirst;

	constructor(webhook: WebhookRow, cursor: DeliveryCursorRow | undefined, lastPosition: number) {
		this.webhook = webhook;
		// A file that was brought back from a backup may be older than what was sent: positions are given anew from its end.
		this.readTo = Math.min(lastPosition, Math.max(cursor?.position ?? 0, webhook.fromPosition - 1));
		this.failingSince = cursor?.failingSince ?? null;
		this.replaySequence = cursor?.replaySequence ?? 0;
		this.replayPosition = cursor?.replayPosition ?? null;
		this.kept = cursor;
	}

	get room(): number {
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

	/** The next that may be sent now: the first about something that is not on its way. */
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

	/** Its outcome is on disk. */
	written({ kind, event, delivery }: Item): void {
		if (kind === "new") this.#open.delete(event.position);
		if (kind === "replay") this.#replaying.delete(event.position);
		if (kind === "retry" && delivery) this.#retrying.delete(delivery.id);
	}

	/** All up to here are settled: sent, kept as failed, or not for this endpoint. Expects what is written with it to be left out. */
	settledWith(items: readonly Item[]): number {
		const being = new Set(items.filter(({ kind }) => kind === "new").map(({ event }) => event.position));
		// In the order of their positions: the first that is left is the oldest.
		for (const position of this.#open) if (!being.has(position)) return position - 1;
		return this.readTo;
	}

	/** It is off, or gone: what waits is read again when it is enabled. */
	clear(): void {
		this.#waiting = [];
	}
}
