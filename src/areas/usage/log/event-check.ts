import { Errors } from "@sinclair/typebox/errors";
import { type Instant, parseInstant } from "../../../kernel/clock";
import { shorten } from "../../../kernel/errors";
import type { Fault, ReadEvents } from "../formats/body";
import { readCloudEvent, readCloudEvents } from "../formats/cloud-events";
import { DimensionNames } from "../formats/dimension-names";
import { parseBody } from "../formats/json";
import { readLines } from "../formats/ndjson";
import { readMetrics } from "../formats/otlp";
import type { Rejections } from "../formats/rejected";
import type { EventFormat } from "../formats/schema";
import { EventReport, eventBytesMax, UsageEvent } from "../schema";
import type { IngestResult } from "../schema.ingest";
import { isEventReport, isUsageEvent } from "./event-form";

/** Source: docs/interface/usage.md#events. */
const aheadMsMax = 24 * 60 * 60 * 1000;

export type Checked =
	/** The events as they came, and the time of each: the request's time if it has none. */
	| {
			readonly kind: "events";
			readonly events: readonly UsageEvent[];
			readonly times: readonly Instant[];
			/** The rejected events so far, in a format that accepts events one by one. */
			readonly rejected?: Rejections;
	  }
	| Extract<IngestResult, { kind: "refused" | "too-large" }>;

/** Reads a body. All or nothing: the first fault refuses it, by index and field (docs/interface/usage.md). */
export function checkEvents(text: string, now: Instant, format?: EventFormat): Checked {
	const steps = checkInSteps(text, now, format);
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
	}
}

/** As `checkEvents`, in short steps between which other requests are served. */
export function* checkInSteps(text: string, now: Instant, format: EventFormat = "report"): Generator<void, Checked> {
	if (format === "metrics") return yield* checkMetrics(text, now);
	const read = format === "ndjson" ? checkEach(yield* readLines(text)) : readers[format](text);
	if ("fault" in read) return refuse(`${read.fault}.`);
	const { events, placeOf } = read;
	yield;
	const tooLarge = findTooLarge(text, events);
	if (tooLarge >= 0)
		return {
			kind: "too-large",
			message: `${placeOf(tooLarge, "")}: an event may have at most ${eventBytesMax} bytes.`,
		};
	const times: Instant[] = [];
	for (const event of events) {
		const at = timeOf(event, now);
		if (typeof at === "object") return refuse(`${placeOf(times.length, at.path)}: ${at.expects}.`);
		times.push(at);
	}
	return { kind: "events", events, times };
}

interface CheckedEvents extends ReadEvents {
	readonly events: readonly UsageEvent[];
}

const readers: Readonly<Record<Exclude<EventFormat, "ndjson" | "metrics">, (text: string) => CheckedEvents | Fault>> = {
	report: readReport,
	cloudevent: (text) => checkEach(readCloudEvent(text)),
	cloudevents: (text) => checkEach(readCloudEvents(text)),
};

function readReport(text: string): CheckedEvents | Fault {
	const parsed = parseBody(text, "report");
	if ("fault" in parsed) return parsed;
	const body = parsed.value;
	if (!isEventReport(body)) {
		const error = Errors(EventReport, body).First();
		return { fault: `body${shorten(error?.path ?? "")}: ${error ? expectation(error) : "is not valid"}` };
	}
	const placeOf = (index: number, path: string): string => `body/events/${index}${path}`;
	const names = new DimensionNames();
	for (const [index, event] of body.events.entries()) {
		const excess = names.excessWith(event);
		if (excess !== undefined) return { fault: `${placeOf(index, "")}: ${excess}` };
	}
	return { events: body.events, placeOf };
}

function checkEach(read: ReadEvents | Fault): CheckedEvents | Fault {
	if ("fault" in read) return read;
	const { placeOf } = read;
	const events: UsageEvent[] = [];
	for (const [index, event] of read.events.entries()) {
		if (!isUsageEvent(event)) {
			const { path, expects } = misfit(event);
			return { fault: `${placeOf(index, shorten(path))}: ${expects}` };
		}
		events.push(event);
	}
	return { events, placeOf };
}

/** Accepts or rejects points of metrics one by one: their senders cannot correct them (OTLP, partial success). */
function* checkMetrics(text: string, now: Instant): Generator<void, Checked> {
	const read = yield* readMetrics(text);
	if ("fault" in read) return refuse(`${read.fault}.`);
	const { points, rejected } = read;
	const events: UsageEvent[] = [];
	const times: Instant[] = [];
	const names = new DimensionNames();
	const isLarge = mayHoldTooLarge(text);
	yield;
	for (const { name, event } of points) {
		const excess = names.excessWith(event);
		if (excess !== undefined) return refuse(`body: a point of '${name}' ${excess}.`);
		const at = isUsageEvent(event) ? (isLarge && isTooLarge(event) ? oversized : timeOf(event, now)) : misfit(event);
		if (typeof at === "object")
			rejected.add(`'${name}' has a point ${at.path === "" ? "that" : `whose ${at.path.slice(1)}`} ${at.expects}`);
		else {
			events.push(event);
			times.push(at);
		}
	}
	return { kind: "events", events, times, rejected };
}

interface Misfit {
	readonly path: string;
	readonly expects: string;
}

/** Returns the fault of a value that is no event. */
function misfit(event: unknown): Misfit {
	const error = Errors(UsageEvent, event).First();
	return { path: error?.path ?? "", expects: error ? expectation(error) : "is not valid" };
}

/** Returns the time of an event, or the reason why the log refuses it. */
function timeOf(event: UsageEvent, now: Instant): Instant | Misfit {
	const at = event.timestamp === undefined ? now : parseInstant(event.timestamp);
	if (at === undefined) return { path: "/timestamp", expects: notAnInstant };
	return at > now + aheadMsMax ? { path: "/timestamp", expects: tooFarAhead } : (findUnstorable(event) ?? at);
}

const notAnInstant = "must be an ISO 8601 date-time with a zone, such as 2026-01-31T00:00:00Z";
const tooFarAhead = "lies more than 24 hours ahead";
const halfPair = "holds half a surrogate pair, which is no character";

/**
 * SQLite would store ids that differ only in broken characters as the same text. The patterns of ids exclude such
 * characters.
 */
function findUnstorable({ eventName, idempotencyKey }: UsageEvent): Misfit | undefined {
	if (!eventName.isWellFormed()) return { path: "/eventName", expects: halfPair };
	return idempotencyKey.isWellFormed() ? undefined : { path: "/idempotencyKey", expects: halfPair };
}

const refuse = (message: string): Checked => ({ kind: "refused", code: "BadUserInput", message });

const oversized: Misfit = { path: "", expects: `has more than ${eventBytesMax} bytes` };

/**
 * Returns the index of the first event that is too large, or -1. Sizes are those of compact JSON, and only large bodies
 * are measured.
 */
const findTooLarge = (text: string, events: readonly UsageEvent[]): number =>
	mayHoldTooLarge(text) ? events.findIndex(isTooLarge) : -1;

/** A character has at most three bytes of UTF-8 for each unit of its length. */
const mayHoldTooLarge = (text: string): boolean =>
	text.length * 3 > eventBytesMax && Buffer.byteLength(text) > eventBytesMax;

const isTooLarge = (event: UsageEvent): boolean => Buffer.byteLength(JSON.stringify(event)) > eventBytesMax;

function expectation({ schema, message }: { readonly schema: object; readonly message: string }): string {
	if ("expects" in schema && typeof schema.expects === "string") return schema.expects;
	return message.charAt(0).toLowerCase() + message.slice(1);
}
