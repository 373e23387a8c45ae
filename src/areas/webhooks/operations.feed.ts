import { firstWithin } from "../../kernel/json-size";
import { pageBytesMax } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { feedRowsMax } from "./schema";
import { lastPosition, selectEventsAfter } from "./store";
import { eventText } from "./view";

export interface FeedPage {
	/** As text: what is sent and what is read is the same to the byte. */
	readonly events: ReadonlyArray<{ readonly position: number; readonly type: string; readonly text: string }>;
	/** Where to go on reading: the last that is there, or where it was begun. */
	readonly next: number;
}

/** Where the feed ends now: what is read after it has come since. */
export const endOfFeed = (work: Work): number => lastPosition(work);

/** The events of the caller's environment after a position, in their order, at most so many, and as many as fit a page's bytes. */
export function readFeed(work: Work, after: number, limit: number = feedRowsMax): FeedPage {
	const found = selectEventsAfter(work, work.actor.environmentId, after, limit);
	const fitting = firstWithin(found, pageBytesMax, ({ payload }) => payload.length);
	return {
		events: fitting.map((event) => ({ position: event.position, type: event.type, text: eventText(event) })),
		next: fitting.at(-1)?.position ?? after,
	};
}
