import { type Instant, parseInstant, toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import { cutPage, type Page, pageRequestOf, unknownCursor } from "../../../kernel/page";
import type { Transaction, Work } from "../../../kernel/work";
import { findCustomer } from "../../customers/operations";
import { featuresByIds, listMeters } from "../../features/operations";
import type { NamedEvent } from "../log/cancellation";
import type { EventFacts, MeterDefinition } from "../rules";
import { takesName, whyNotCounted } from "./rules";
import type { EventIds } from "./rules.event-ids";
import type { EventListQuery, LoggedEvent, MeteredBy, NotCountedReason, UnmatchedName, UnmatchedQuery } from "./schema";
import { type EventFilter, eventsAt, type Found, type Place, positionOf, searchEvents } from "./search";
import { EventStore } from "./store";

/** A module constant: `work.prepared` finds the store of each connection by its identity. */
const buildStore = (tx: Transaction): EventStore => new EventStore(tx);

/** Names that one page of unmatched names looks at. */
const namesAtOnce = 1_000;

/** Combinations of names and resources for which a key is looked up, about a millisecond. With more, it is searched for. */
const namedMax = 500;

/**
 * Returns the possible identities of the events with a customer's key. Returns undefined if they must be searched for:
 * without a customer, for one that does not exist, or from a cursor on.
 */
export function namedByKey(work: Work, query: EventListQuery): NamedEvent[] | undefined {
	const { customerId, idempotencyKey, after } = query;
	if (idempotencyKey === undefined || customerId === undefined || after !== undefined) return undefined;
	const customer = findCustomer(work, customerId);
	if (!customer) return undefined;
	const { statements } = work.prepared(buildStore);
	const resources = query.resourceId
		? [query.resourceId]
		: ["", ...statements.subjects.all({ customerId: customer.id }).map(({ resourceRef }) => resourceRef)];
	const names = query.eventName
		? [query.eventName]
		: statements.names
				.all({ environmentId: work.actor.environmentId, before: Number.MAX_SAFE_INTEGER, rows: namedMax + 1 })
				.map(({ eventName }) => eventName);
	const each = [...new Set(resources)];
	if (names.length * each.length > namedMax) return undefined;
	return names.flatMap((eventName) =>
		each.map((resource) => ({ customerId, eventName, idempotencyKey, resourceId: resource === "" ? null : resource })),
	);
}

/**
 * Returns the matching events of this environment, the newest first, with the reasons why meters count them or not:
 * those at `known` positions, or those that a search finds. One request searches a bounded part of the log, so a page
 * may hold fewer events than requested, or none, and still have a next page. There is no previous page.
 */
export function listEvents(
	work: Work,
	query: EventListQuery,
	ids: EventIds,
	known?: readonly number[] | null,
): EventPage {
	const { environmentId } = work.actor;
	const { cursor, rowsMax } = pageRequestOf(query);
	const store = work.prepared(buildStore);
	const after = cursor === undefined ? undefined : positionAt(ids, environmentId, cursor);
	const filter = filterOf(work, query);
	const { places, continueAfter }: Found =
		known && known.length < rowsMax
			? { places: eventsAt(store, filter, known), continueAfter: undefined }
			: searchEvents(store, filter, after, rowsMax - 1);
	return {
		rows: places.map(viewer(work, store, ids)),
		next: continueAfter === undefined ? null : ids.idOf(environmentId, continueAfter),
		prev: null,
		lookedBackTo: continueAfter === undefined ? null : timeOf(placeOf(store, continueAfter)),
	};
}

export interface EventPage extends Page<LoggedEvent> {
	/** The time of the event where the search ended; null if it has searched everything. */
	readonly lookedBackTo: string | null;
}

const timeOf = ({ block, index }: Place): string => toIso(block.at(index));

function positionAt(ids: EventIds, environmentId: string, cursor: string): number {
	const position = ids.positionOf(environmentId, cursor);
	if (position === undefined) throw unknownCursor(cursor);
	return position;
}

function filterOf(work: Work, query: EventListQuery): EventFilter {
	const { customerId, resourceId, eventName, idempotencyKey } = query;
	const from = instantOf(query.from);
	const to = instantOf(query.to);
	if (from !== undefined && to !== undefined && from >= to)
		throw fail("BadUserInput", "query/from: must lie before 'to'.");
	return {
		environmentId: work.actor.environmentId,
		...(customerId !== undefined && { customer: { ref: customerId, id: findCustomer(work, customerId)?.id } }),
		...(resourceId !== undefined && { resourceId }),
		...(eventName !== undefined && { eventName }),
		...(idempotencyKey !== undefined && { idempotencyKey }),
		...(from !== undefined && { from }),
		...(to !== undefined && { to }),
	};
}

const instantOf = (text: string | undefined): Instant | undefined =>
	text === undefined ? undefined : parseInstant(text);

/** A meter of the catalog, and its position in the log. */
interface Counting {
	readonly featureId: string;
	readonly meter: MeterDefinition;
	readonly countedTo: number;
}

function countingOf(work: Work, store: EventStore): Counting[] {
	const meters = listMeters(work);
	const features = featuresByIds(
		work,
		meters.map(({ featureId }) => featureId),
	);
	return meters.map(({ id, featureId, aggregation, filters }) => ({
		featureId: features.get(featureId)?.refId ?? featureId,
		meter: { aggregation, filters },
		countedTo: store.statements.counter.get({ featureId, meterId: id })?.countedTo ?? 0,
	}));
}

/** Returns a function that shows events, with the result of each meter. */
function viewer(work: Work, store: EventStore, ids: EventIds): (place: Place) => LoggedEvent {
	const { environmentId } = work.actor;
	const countings = countingOf(work, store);
	return (place) => {
		const { block, index } = place;
		const position = positionOf(place);
		const { customer, eventName, resourceRef, idempotencyKey } = store.log.identity(position);
		const facts = block.event(index);
		const cancellation = store.log.canceled.of(position);
		const isEarly = store.statements.placeholder.get({ customer }) !== undefined;
		const outside = cancellation ? "CANCELED" : isEarly ? "CUSTOMER_UNKNOWN" : undefined;
		return {
			id: ids.idOf(environmentId, position),
			eventName,
			customerId: store.customer(customer, () => {})?.customerRef ?? "",
			resourceId: resourceRef,
			idempotencyKey,
			timestamp: toIso(block.at(index)),
			dimensions: block.dimensions(index),
			canceledAt: cancellation ? toIso(cancellation.canceledAt) : null,
			meters: countings
				.filter(({ meter }) => takesName(meter, eventName))
				.map((counting) => viewMeter(counting, facts, position, outside)),
		};
	};
}

const outsideMessages = {
	CANCELED: "The event was canceled.",
	CUSTOMER_UNKNOWN: "Its customer does not exist; the event counts once the customer does.",
} as const;

function viewMeter(
	{ featureId, meter, countedTo }: Counting,
	facts: EventFacts,
	position: number,
	outside: keyof typeof outsideMessages | undefined,
): MeteredBy {
	const not = (reason: NotCountedReason, message: string): MeteredBy => ({
		featureId,
		isCounted: false,
		reason,
		message,
	});
	if (outside) return not(outside, outsideMessages[outside]);
	const why = whyNotCounted(meter, facts);
	if (why) return not(why.reason, why.message);
	if (position > countedTo)
		return not("NOT_COUNTED_YET", "The meter has not counted this part of the log yet; repeat the request shortly.");
	return { featureId, isCounted: true, reason: null, message: null };
}

/** Returns the event names that no meter matches, the newest name first: how often they came, when, and one example. */
export function listUnmatched(work: Work, query: UnmatchedQuery, ids: EventIds): Page<UnmatchedName> {
	const { environmentId } = work.actor;
	const { cursor, rowsMax } = pageRequestOf(query);
	const store = work.prepared(buildStore);
	const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : positionAt(ids, environmentId, cursor);
	const meters = listMeters(work);
	const names = store.statements.names.all({ environmentId, before, rows: namesAtOnce });
	const unmatched = names.filter(({ eventName }) => !meters.some((meter) => takesName(meter, eventName)));
	const last = names.length < namesAtOnce ? undefined : names.at(-1);
	const view = viewer(work, store, ids);
	const page = cutPage(
		query,
		unmatched.slice(0, rowsMax).map((name) => ({ ...name, id: ids.idOf(environmentId, name.id) })),
	);
	return {
		rows: page.rows.map(({ eventName, events, firstAt, lastAt, lastEvent }) => ({
			eventName,
			events,
			firstAt: toIso(firstAt),
			lastAt: toIso(lastAt),
			example: view(placeOf(store, lastEvent)),
		})),
		next: page.next ?? (last ? ids.idOf(environmentId, last.id) : null),
		prev: null,
	};
}

function placeOf(store: EventStore, event: number): Place {
	const block = store.log.blockOf(event);
	return { block, index: event - block.firstEvent };
}
