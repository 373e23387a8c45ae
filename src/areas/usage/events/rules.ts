import type { MeterCondition } from "../../features/schema";
import { compileField, compileFilters, type EventFacts, type MeterDefinition, measureOf } from "../rules";
import type { NotCountedReason } from "./schema";

const noDimension = (): undefined => undefined;

/** Whether a meter may match events with a name: some group of its conditions requires no other name. */
export function takesName({ filters }: MeterDefinition, eventName: string): boolean {
	if (filters.length === 0) return true;
	const facts: EventFacts = { eventName, dimension: noDimension };
	return filters.some(({ conditions }) => conditions.every((one) => one.field !== "eventName" || holds(one, facts)));
}

const holds = (condition: MeterCondition, event: EventFacts): boolean =>
	compileFilters([{ conditions: [condition] }])(event);

/** The reason why a meter that matches the name of an event does not count it. */
export interface NotCounted {
	readonly reason: NotCountedReason;
	readonly message: string;
}

/** Returns undefined if the event counts. `meter` matches the event's name. */
export function whyNotCounted(meter: MeterDefinition, event: EventFacts): NotCounted | undefined {
	if (!compileFilters(meter.filters)(event)) return unmetCondition(meter, event);
	const { function: name, field } = meter.aggregation;
	if (name === "COUNT" || field === undefined) return undefined;
	const found = compileField(meter)(event);
	if (found === undefined)
		return {
			reason: "FIELD_MISSING",
			message: `It has no dimension '${field}', of which the meter takes the ${name}.`,
		};
	if (name === "UNIQUE" || measureOf(found) !== undefined) return undefined;
	return {
		reason: "FIELD_NOT_A_NUMBER",
		message: `Its dimension '${field}' is ${JSON.stringify(found)}, which is no number to take the ${name} of.`,
	};
}

/** Returns the first unmet condition of the first group that matches the name. */
function unmetCondition({ filters }: MeterDefinition, event: EventFacts): NotCounted {
	const meant = filters.find(({ conditions }) =>
		conditions.every((one) => one.field !== "eventName" || holds(one, event)),
	);
	const unmet = meant?.conditions.find((one) => !holds(one, event));
	const { field = "", operation = "", value, values } = unmet ?? {};
	const wanted = values ?? value;
	const found = field === "eventName" ? event.eventName : event.dimension(field);
	const has = found === undefined ? `it has no '${field}'` : `its '${field}' is ${JSON.stringify(found)}`;
	return {
		reason: "CONDITION_NOT_MET",
		message: `The meter asks for ${field} ${operation}${wanted === undefined ? "" : ` ${JSON.stringify(wanted)}`}, and ${has}.`,
	};
}
