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

/** A module constant: its identity is what `work.prepared` remembers the store of each connection by. */
const buildStore = (tx: Transaction): EventStore => new EventStore(tx);

/** Our choice: so many names are looked at for one page of those that no meter takes. */
const namesAtOnce = 1_000;

/** Our choice: by so many names and resources a key is looked up; of more it is searched for. About a millisecond. */
const namedMax = 500;

/**
 * What the events can have been reported with that a customer's key asks for; undefined where they have to be searched for: of
 * a customer that is not named or does not exist, or from a place on.
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
 * The events of this environment that match, the newest first, and what became of each: those at `known` positions, or else
 * what a search finds. Then a page may hold fewer than were asked for, or none, and go on all the same: one request looks at a
 * bounded part of the log. There is no way back.
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
	const { places, goOnAfter }: Found =
		known && known.length < rowsMax
			? { places: eventsAt(store, filter, known), goOnAfter: undefined }
			: searchEvents(store, filter, after, rowsMax - 1);
	return {
		rows: places.map(viewer(work, store, ids)),
		next: goOnAfter === undefined ? null : ids.idOf(environmentId, goOnAfter),
		prev: null,
		lookedBackTo: goOnAfter === undefined ? null : timeOf(placeOf(store, goOnAfter)),
	};
}

export interface EventPage extends Page<LoggedEvent> {
	/** When the event happened at which the look has ended; null where it has seen all. */
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

/** A meter of the catalogue, with how far it has counted the log. */
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

/** Shows events, with what each meter made of them. */
function viewer(work: Work, store: EventStore, ids: EventIds): (place: Place) => LoggedEvent {
	const { environmentId } = work.actor;
	const countings = countingOf(work, store);
	return (place) => {
		const { block, index } = place;
		const position = positionOf(place);
		const { customer, eventName, resourceRef, idempotencyKey } = store.log.identity(position);
		const facts = block.event(index);
		const cancellation = store.log.canceled.of(position);
		const isWaiting = store.statements.isWaiting.get({ customer, event: position }) !== undefined;
		const outside = cancellation ? "CANCELED" : isWaiting ? "CUSTOMER_UNKNOWN" : undefined;
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
	CANCELED: "It was taken back.",
	CUSTOMER_UNKNOWN: "Its customer does not exist; it counts once the customer does.",
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
		return not("NOT_COUNTED_YET", "The meter has not come as far in the log; look again shortly.");
	return { featureId, isCounted: true, reason: null, message: null };
}

/** The names under which events came that no meter asks for, the newest name first: how often, when, and one of them. */
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
