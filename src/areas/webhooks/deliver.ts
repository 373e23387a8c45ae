import { newUuidV7 } from "../../kernel/ids";
import type { Transactions } from "../../kernel/work";
import { systemActor } from "../access/rules.actors";
import { type Item, Lane } from "./lane";
import { Outcomes, type OutcomesOptions } from "./outcomes";
import { failingMsMax, immediateAttempts, nextAttemptAt } from "./retry-policy";
import { isSubscribedTo } from "./rules";
import { isDelivered, type Sender } from "./sending";
import { findEvent, findReplayFrom, lastPosition, positionsOfCustomer, selectActive, selectEventsAfter } from "./store";
import { firstDueAt, saveDelivery, selectDue } from "./store.deliveries";
import type { Attempt, DeliveryRow } from "./table.deliveries";
import { eventText } from "./view";

interface DelivererOptions extends OutcomesOptions {
	/** Reads the main file. */
	readonly transactions: Transactions;
	readonly sender: Sender;
	readonly writer: OutcomesOptions["writer"] & {
		disable(environmentId: string, id: string, reason: string): Promise<void>;
	};
	readonly random?: () => number;
}

const everywhere = systemActor("");

/** Limits of the deliverer. `sendingMax` is below the number of requests that the runtime sends at once. */
const sendingMax = 200;
const lookAllEveryMs = 1000;
const lookForEventsEveryMs = 200;
const quietAfterMs = 5000;
const retriesMax = 100;
const replayedMax = 200;

/**
 * Sends the events of the outbox to the endpoints that subscribe to them. Each endpoint has a lane, so a slow endpoint
 * delays no other. Outcomes and positions are written together: after a crash no event is missing, and a few may be
 * sent again.
 */
export class Deliverer {
	readonly #options: DelivererOptions;
	readonly #lanes = new Map<string, Lane>();
	readonly #outcomes: Outcomes;
	#sending = 0;
	#epoch: number | undefined;
	#lookAllMs = 0;
	#lookForEventsMs = 0;
	#changedAtMs = 0;
	#last = 0;
	#isStopping = false;

	constructor(options: DelivererOptions) {
		this.#options = options;
		this.#outcomes = new Outcomes(options);
	}

	/** Writes outcomes, reads new events and sends what the lanes allow. The thread calls it every few milliseconds. */
	look(): void {
		this.#outcomes.write(this.#lanes.values());
		if (this.#isStopping) return;
		this.#lookForEndpoints();
		for (const lane of this.#lanes.values()) this.#fill(lane);
		this.#send();
		this.#outcomes.purge();
	}

	/** Waits up to `waitMs` for requests in flight. Unanswered deliveries are sent again after the next start. */
	async stop(waitMs: number): Promise<void> {
		this.#isStopping = true;
		for (const lane of this.#lanes.values()) lane.clear();
		for (const end = performance.now() + waitMs; this.#sending > 0 && performance.now() < end; ) await Bun.sleep(5);
		this.#outcomes.write(this.#lanes.values());
	}

	/** Deletes one batch of the responses that receivers sent to a customer's events (outcomes.ts). */
	eraseResponses(environmentId: string, customerRef: string, after: string) {
		return this.#outcomes.eraseResponses(environmentId, customerRef, after, (positions) =>
			this.#options.transactions.read(systemActor(environmentId), (work) =>
				positionsOfCustomer(work, customerRef, positions),
			),
		);
	}

	/** Whether no delivery is queued, in flight or unwritten. Failed deliveries may still wait for a retry. */
	get isIdle(): boolean {
		return this.#sending === 0 && this.#outcomes.isEmpty && ![...this.#lanes.values()].some((lane) => lane.hasWork);
	}

	/** Whether the deliverer is idle and nothing has changed for some seconds. */
	get isQuiet(): boolean {
		return this.isIdle && performance.now() - this.#changedAtMs >= quietAfterMs;
	}

	/** Whether no endpoint is active and no outcome is unwritten, so that the thread can end. */
	get canEnd(): boolean {
		return this.#lanes.size === 0 && this.#sending === 0 && this.#outcomes.isEmpty;
	}

	#lookForEndpoints(): void {
		const { transactions } = this.#options;
		const nowMs = performance.now();
		const epoch = transactions.epoch();
		const hasChanged = epoch !== this.#epoch;
		if (hasChanged) this.#changedAtMs = nowMs;
		if (hasChanged || nowMs >= this.#lookForEventsMs) {
			this.#lookForEventsMs = nowMs + lookForEventsEveryMs;
			this.#last = transactions.read(everywhere, lastPosition);
		}
		if (!hasChanged && nowMs < this.#lookAllMs) return;
		this.#epoch = epoch;
		this.#lookAllMs = nowMs + lookAllEveryMs;
		const active = transactions.read(everywhere, selectActive);
		const ids = new Set(active.map(({ id }) => id));
		for (const [id, lane] of this.#lanes) {
			if (ids.has(id)) continue;
			lane.clear();
			this.#lanes.delete(id);
		}
		for (const webhook of active) {
			const lane = this.#lanes.get(webhook.id);
			if (!lane) this.#lanes.set(webhook.id, new Lane(webhook, this.#outcomes.cursorOf(webhook.id), this.#last));
			else {
				lane.webhook = webhook;
				lane.hasLookedForReplays = false;
			}
		}
	}

	#fill(lane: Lane): void {
		if (lane.isDisabled) return;
		this.#addRetries(lane);
		this.#addReplays(lane);
		const { environmentId } = lane.webhook;
		while (lane.capacity > 0 && lane.readTo < this.#last) {
			const rowsMax = lane.capacity;
			const { readTo } = lane;
			const events = this.#options.transactions.read(everywhere, (work) =>
				selectEventsAfter(work, environmentId, readTo, rowsMax),
			);
			for (const event of events) if (isSubscribedTo(lane.webhook, event)) lane.add({ kind: "new", event });
			// Events written in the meantime have higher positions, because positions follow the commits.
			lane.readTo =
				events.length < rowsMax
					? Math.max(this.#last, events.at(-1)?.position ?? 0)
					: (events.at(-1)?.position ?? readTo);
		}
	}

	#addRetries(lane: Lane): void {
		const now = this.#options.now();
		if (lane.dueAt > now || lane.capacity === 0) return;
		const { id } = lane.webhook;
		const due = this.#options.deliveries.read(everywhere, (work) => selectDue(work, id, now, retriesMax));
		for (const delivery of due) {
			if (lane.isRetrying(delivery.id)) continue;
			const event = this.#options.transactions.read(everywhere, (work) => findEvent(work, delivery.position));
			if (event) lane.add({ kind: "retry", event, delivery });
			else this.#markFailed(delivery);
		}
		const next = this.#options.deliveries.read(everywhere, (work) => firstDueAt(work, id));
		// A delivery that is being retried is still due in the table, so the lane looks again a moment later.
		lane.dueAt = next === null ? Number.MAX_SAFE_INTEGER : Math.max(next, now + lookForEventsEveryMs);
	}

	#markFailed(delivery: DeliveryRow): void {
		this.#options.deliveries.write(everywhere, (work) =>
			saveDelivery(work, { ...delivery, status: "FAILED", nextAttemptAt: null }),
		);
	}

	#addReplays(lane: Lane): void {
		if (lane.isReplaying) return;
		if (lane.replayPart !== undefined) {
			lane.replayPosition = lane.replayPart;
			lane.replayPart = undefined;
		}
		if (lane.hasLookedForReplays && lane.replayPosition === null) return;
		const { transactions } = this.#options;
		const from = lane.replayPosition === null ? lane.replaySequence + 1 : lane.replaySequence;
		const replay = transactions.read(everywhere, (work) => findReplayFrom(work, lane.webhook.id, from));
		lane.hasLookedForReplays = true;
		if (!replay) {
			lane.replayPosition = null;
			return;
		}
		const begun = replay.sequence === lane.replaySequence ? lane.replayPosition : null;
		lane.replaySequence = replay.sequence;
		const after = begun ?? replay.firstPosition - 1;
		lane.replayPosition = after;
		const events = transactions
			.read(everywhere, (work) => selectEventsAfter(work, lane.webhook.environmentId, after, replayedMax))
			.filter(({ position }) => position <= replay.lastPosition);
		const isOne = replay.firstPosition === replay.lastPosition;
		// A replay of a single event is sent even if the endpoint no longer subscribes to its type.
		for (const event of events) if (isOne || isSubscribedTo(lane.webhook, event)) lane.add({ kind: "replay", event });
		if (events.length === replayedMax) lane.replayPart = events.at(-1)?.position;
		else {
			lane.hasLookedForReplays = false;
			if (lane.isReplaying) lane.replayPart = replay.lastPosition;
			else lane.replayPosition = null;
		}
		// This replay is complete; the next look starts the next one.
		if (after >= replay.lastPosition) lane.replayPosition = null;
	}

	/** Sends one message of each lane in turn. */
	#send(): void {
		for (let isLeft = true; isLeft && this.#sending < sendingMax; ) {
			isLeft = false;
			for (const lane of this.#lanes.values()) {
				if (this.#sending >= sendingMax || lane.isDisabled) continue;
				const item = lane.take();
				if (!item) continue;
				isLeft = true;
				this.#sending += 1;
				void this.#deliver(lane, item);
			}
		}
	}

	async #deliver(lane: Lane, item: Item): Promise<void> {
		const { sender } = this.#options;
		const message = { messageId: item.event.messageId, body: eventText(item.event) };
		const attempts = [...(item.delivery?.attempts ?? [])];
		let last: Attempt;
		do {
			last = await sender.send(lane.webhook, message);
			attempts.push(last);
		} while (!isDelivered(last) && attempts.length < immediateAttempts && !this.#isStopping);
		this.#sending -= 1;
		lane.answered(item, isDelivered(last), last.durationMs);
		this.#outcomes.add({ lane, item, row: this.#rowOf(lane, item, attempts, last) });
		this.#noteHealth(lane, last);
		this.#send();
	}

	#rowOf(lane: Lane, { event, delivery }: Item, attempts: Attempt[], last: Attempt): DeliveryRow {
		const { now, random = Math.random } = this.#options;
		const nextAt = isDelivered(last) ? null : nextAttemptAt(attempts.length, now(), random());
		const { environmentId, messageId, position, type } = event;
		if (nextAt !== null) lane.dueAt = Math.min(lane.dueAt, nextAt);
		return {
			...{ id: delivery?.id ?? newUuidV7(), environmentId, webhookId: lane.webhook.id, position, messageId, type },
			status: isDelivered(last) ? "DELIVERED" : nextAt === null ? "FAILED" : "PENDING",
			attempts,
			nextAttemptAt: nextAt,
			createdAt: delivery?.createdAt ?? now(),
		};
	}

	#noteHealth(lane: Lane, last: Attempt): void {
		if (isDelivered(last)) {
			lane.failingSince = null;
			return;
		}
		lane.failingSince ??= last.at;
		if (lane.isDisabled || last.at - lane.failingSince < failingMsMax) return;
		lane.isDisabled = true;
		const { id, environmentId, endpoint } = lane.webhook;
		const { log, writer: asks } = this.#options;
		log.warn(
			{ webhookId: id, host: URL.parse(endpoint)?.host },
			"Tollgate disabled a webhook: no delivery has succeeded for five days",
		);
		asks.disable(environmentId, id, "No delivery has succeeded for five days.").catch((error) => {
			lane.isDisabled = false;
			log.error({ err: error, webhookId: id }, "could not disable a webhook; Tollgate tries again");
		});
	}
}
