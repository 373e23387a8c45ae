import { firstWithin } from "../../kernel/json-size";
import { pageBytesMax } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { feedRowsMax } from "./schema";
import { lastPosition, selectEventsAfter } from "./store";
import { eventText } from "./view";

export interface FeedPage {
	/** The events as JSON text. Webhooks and the feed use the same bytes. */
	readonly events: ReadonlyArray<{ readonly position: number; readonly type: string; readonly text: string }>;
	/** The value of `after` for the next page. */
	readonly next: number;
}

/** Returns the current end of the feed. */
export const endOfFeed = (work: Work): number => lastPosition(work);

/** Returns the events of the caller's environment after a position, in order, within `limit` and the byte limit of a page. */
export function readFeed(work: Work, after: number, limit: number = feedRowsMax): FeedPage {
	const found = selectEventsAfter(work, work.actor.environmentId, after, limit);
	const fitting = firstWithin(found, pageBytesMax, ({ payload }) => payload.length);
	return {
		events: fitting.map((event) => ({ position: event.position, type: event.type, text: eventText(event) })),
		next: fitting.at(-1)?.position ?? after,
	};
}
