import { eventNameCharactersMax, eventsPerRequestMax } from "../schema";
import type { Fault, ReadEvents } from "./body";
import { DimensionNames } from "./dimension-names";
import { isObject, parseBody } from "./json";

/** The attribute that each field comes from. */
const attributeOf: Readonly<Record<string, string>> = {
	eventName: "type",
	customerId: "subject",
	idempotencyKey: "id",
	resourceId: "resourceid",
	timestamp: "time",
	dimensions: "data",
};

const jsonType = /^[\w.+-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Reads one event, as `application/cloudevents+json`. */
export function readCloudEvent(text: string): ReadEvents | Fault {
	const body = parseBody(text, "cloudevent");
	return "fault" in body ? body : readAll([body.value], () => "body");
}

/** Reads a list of events, as `application/cloudevents-batch+json`. */
export function readCloudEvents(text: string): ReadEvents | Fault {
	const body = parseBody(text, "cloudevents");
	if ("fault" in body) return body;
	const batch = body.value;
	if (!Array.isArray(batch)) return { fault: "body: must be a list of CloudEvents" };
	if (batch.length < 1 || batch.length > eventsPerRequestMax)
		return { fault: `body: must hold 1 to ${eventsPerRequestMax} events` };
	return readAll(batch, (index) => `body/${index}`);
}

function readAll(sent: readonly unknown[], at: (index: number) => string): ReadEvents | Fault {
	const events: unknown[] = [];
	const names = new DimensionNames();
	for (const [index, one] of sent.entries()) {
		const fault = faultOf(one);
		if (fault !== undefined) return { fault: `${at(index)}${fault}` };
		const event = isObject(one) ? eventOf(one) : one;
		const excess = names.excessWith(event);
		if (excess !== undefined) return { fault: `${at(index)}: ${excess}` };
		events.push(event);
	}
	const placeOf = (index: number, path: string): string => {
		const [, field = "", ...rest] = path.split("/");
		return [at(index), attributeOf[field] ?? field, ...rest].join("/");
	};
	return { events, placeOf };
}

/**
 * Returns the fault of an event in attributes without a field of their own; all other checks are those of every event.
 */
function faultOf(event: unknown): string | undefined {
	if (!isObject(event)) return ": must be a CloudEvent";
	const { specversion, source, id, datacontenttype } = event;
	if (specversion !== "1.0") return "/specversion: must be '1.0'";
	// Without blanks, so that the key below identifies one source and one id.
	if (typeof source !== "string" || !/^\S+$/.test(source)) return "/source: must be a URI reference, without blanks";
	if (typeof id !== "string" || id === "") return "/id: must be a text";
	if (keyOf(source, id).length > eventNameCharactersMax)
		return `/id: may have at most ${eventNameCharactersMax - 1} characters together with the source`;
	if ("data_base64" in event) return "/data_base64: binary data cannot be counted; send 'data' as an object";
	if (datacontenttype !== undefined && (typeof datacontenttype !== "string" || !jsonType.test(datacontenttype)))
		return "/datacontenttype: must be 'application/json'; other data cannot be counted";
	return undefined;
}

/** Source and id together identify an event (CloudEvents 1.0). */
const keyOf = (source: string, id: string): string => `${source} ${id}`;

function eventOf({ source, id, type, subject, time, resourceid, data }: Readonly<Record<string, unknown>>): object {
	return {
		eventName: type,
		customerId: subject,
		idempotencyKey: keyOf(String(source), String(id)),
		...(resourceid !== undefined && { resourceId: resourceid }),
		...(time !== undefined && { timestamp: time }),
		...(data !== undefined && data !== null && { dimensions: data }),
	};
}
