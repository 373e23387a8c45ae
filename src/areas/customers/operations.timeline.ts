import { toIso } from "../../kernel/clock";
import { firstWithin } from "../../kernel/json-size";
import { pageBytesMax, pageRequestOf } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { readCustomerEvents } from "../outbox/operations";
import { getCustomer } from "./operations";
import type { CustomerEvent, CustomerTimeline, TimelineQuery } from "./schema.timeline";

/**
 * Returns the events of a customer, newest first, as far as they are retained (docs/webhooks.md). As in every list, `after` pages
 * forward and `before` back. Throws CustomerNotFound.
 */
export function readTimeline(work: Work, customerRef: string, query: TimelineQuery): CustomerTimeline {
	const { refId } = getCustomer(work, customerRef);
	const { cursor, isBackward, rowsMax } = pageRequestOf(query);
	const at = cursor === undefined ? undefined : Number(cursor);
	const found = readCustomerEvents(work, refId, {
		before: isBackward ? undefined : at,
		after: isBackward ? at : undefined,
		rowsMax,
	});
	const rows = firstWithin(found.slice(0, rowsMax - 1), pageBytesMax, ({ payload }) => payload.length);
	const goesOn = found.length > rows.length;
	if (isBackward) rows.reverse();
	const [first, last] = [rows.at(0)?.position, rows.at(-1)?.position];
	return {
		data: rows.map(
			({ messageId, traceId, position, type, at: happened, actorType, payload }): CustomerEvent => ({
				messageId,
				traceId,
				sequence: position,
				type,
				timestamp: toIso(happened),
				actor: { type: actorType },
				payload: JSON.parse(payload) as CustomerEvent["payload"],
			}),
		),
		pagination: {
			next: last !== undefined && (isBackward || goesOn) ? String(last) : null,
			prev: first !== undefined && (isBackward ? goesOn : cursor !== undefined) ? String(first) : null,
		},
	};
}
