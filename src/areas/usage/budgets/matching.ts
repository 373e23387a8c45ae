import { type Decimal, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { entityRefs } from "../../governance/operations.events";
import { compileMeter } from "../aggregation/meter";
import type { FollowedEvent } from "../operations.following";
import { amountOf, decimalOf, type EventFacts, type MeterDefinition } from "../rules";
import type { CountedEntry } from "./store";
import type { EventCountRow } from "./table";

const compiled = new WeakMap<MeterDefinition, ReturnType<typeof compileMeter>>();

function meterOf(definition: MeterDefinition): ReturnType<typeof compileMeter> {
	const known = compiled.get(definition) ?? compileMeter(definition);
	compiled.set(definition, known);
	return known;
}

/** Returns the amount that a meter makes of an event; zero if it does not count the event. */
export function amountOfEvent(definition: MeterDefinition, facts: EventFacts): Decimal {
	const { takes, field, fieldOf } = meterOf(definition);
	if (!takes(facts)) return zero;
	if (field === undefined) return decimalOf(1);
	const amount = amountOf(fieldOf(facts));
	return typeof amount === "number" ? decimalOf(amount) : amount;
}

/** Whether an event has the time and the attribution of an entry. */
export function isCountedIn(work: Work, { start, end, attribution }: EventCountRow, event: FollowedEvent): boolean {
	if (event.at < start || end <= event.at) return false;
	const refs = entityRefs(
		work,
		attribution.flatMap(([, id]) => id ?? []),
	);
	return attribution.every(([key, entityId]) => {
		const value = event.facts.dimension(key);
		return entityId === null ? value === undefined : value !== undefined && `${value}` === refs(entityId);
	});
}

/** Returns the entry that counts an event, of those of one step and meter that it matches: the one with the most entities. */
export const mostSpecific = (entries: readonly CountedEntry[]): CountedEntry | undefined =>
	entries.toSorted((one, other) => entitiesOf(other) - entitiesOf(one))[0];

const entitiesOf = ({ count: { attribution } }: CountedEntry): number =>
	attribution.filter(([, id]) => id !== null).length;
