import type { Work } from "../../kernel/work";
import { actorTypeOf, type EventPayload, type EventType } from "./rules.types";
import { deleteRecordedBefore, insertEvent } from "./store";

/**
 * Writes down, in the transaction of a change, what those outside are told of it: what is undone is told to nobody. `entityId`
 * is the row id of what it is about. Written whether or not anybody listens: the feed may be read later.
 */
export function writeEvent<Type extends EventType>(
	work: Work,
	type: Type,
	entityId: string,
	payload: EventPayload<Type>,
	/** For what is done by an actor of no environment, such as the queue of tasks. */
	environmentId = work.actor.environmentId,
): void {
	insertEvent(work, {
		environmentId,
		messageId: work.newId(),
		traceId: work.traceId(),
		type,
		entityId,
		actorType: actorTypeOf(work.actor),
		payload: JSON.stringify(payload),
		at: work.now,
		recordedAt: work.machineNow,
	});
}

/** Our choice: as long as deliveries are kept, and far longer than any is tried. */
const keptMs = 30 * 24 * 60 * 60 * 1000;

/** Forgets what nobody reads any more, at most so many; answers how many there were. */
export const purgeEvents = (work: Work, rowsMax: number): number =>
	deleteRecordedBefore(work, work.machineNow - keptMs, rowsMax);
