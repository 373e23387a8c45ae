import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import type { EventIn } from "../providers/provider";
import { keptSince, needsLook, nextLookAt } from "./rules";
import { deleteEventsBefore, eventsAbout, insertEvent, listDueEvents, saveDue, selectEvents } from "./store";

export { eventsAbout, listDueEvents };

/** An event whose signature is right. */
export interface ReceivedEvent {
	readonly connectionId: string;
	readonly event: Pick<EventIn, "id" | "kind" | "about">;
}

/** Stores an event of a provider, and makes the look-up of its object due. A repeated event changes nothing. */
export function keepEvent(work: Work, { connectionId, event }: ReceivedEvent): null {
	const { id: eventRef, kind, about } = event;
	const dueAt = needsLook(about) ? work.machineNow : null;
	const isNew = insertEvent(work, { connectionId, eventRef, kind, thing: about.thing, ref: about.ref, dueAt });
	if (isNew && dueAt !== null) work.wake("collector");
	return null;
}

/** The end of a look-up that events (by row id) asked for. */
export interface LookedEvents {
	readonly ids: readonly string[];
	/** Whether the provider answered. */
	readonly isAnswered: boolean;
}

/** Ends events whose object was looked up. Without an answer, they are looked up later. */
export function endEvents(work: Work, { ids, isAnswered }: LookedEvents): null {
	const events = selectEvents(work, ids);
	const oldest = Math.min(...events.map(({ createdAt }) => createdAt)) as Instant;
	saveDue(work, ids, isAnswered ? null : nextLookAt(oldest, work.machineNow));
	return null;
}

/** Returns in how many milliseconds an object is looked up because of an event; undefined if none is. */
export const msUntilEvent = (work: Work): number | undefined => {
	const [first] = listDueEvents(work, 1);
	return first?.dueAt == null ? undefined : Math.max(0, first.dueAt - work.machineNow);
};

/** Deletes a piece of the events of all environments that are a month old. Returns the number of deleted rows. */
export const purgeProviderEvents = (work: Work, rowsMax: number): number =>
	deleteEventsBefore(work, keptSince(work.machineNow), rowsMax);
