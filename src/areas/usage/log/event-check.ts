import { TypeCompiler } from "@sinclair/typebox/compiler";
import { type Instant, parseInstant } from "../../../kernel/clock";
import { shorten } from "../../../kernel/errors";
import type { IngestResult } from "../ingest/schema";
import { EventReport, eventBytesMax, type UsageEvent } from "../schema";
import { isEventReport } from "./event-form";

/** Source: docs/interface/usage.md. */
const aheadMsMax = 24 * 60 * 60 * 1000;

/** Says what is wrong with a body that is no report; whether it is one is asked of `isEventReport`, which is quicker. */
const report = TypeCompiler.Compile(EventReport);

export type Checked =
	/** The events as they came, and the instant of each: the request's where it names none. */
	| { readonly kind: "events"; readonly events: readonly UsageEvent[]; readonly times: readonly Instant[] }
	| Extract<IngestResult, { kind: "refused" | "too-large" }>;

/** Reads a body. All or nothing: the first fault refuses it, by index and field (docs/interface/usage.md). */
export function checkEvents(text: string, now: Instant): Checked {
	const body = parse(text);
	if (body === undefined) return refuse("The body is not valid JSON.");
	if (!isEventReport(body)) {
		const error = report.Errors(body).First();
		return refuse(`body${shorten(error?.path ?? "")}: ${error ? expectation(error) : "is not valid"}.`);
	}
	const { events } = body;
	const tooLarge = findTooLarge(text, events);
	if (tooLarge >= 0)
		return { kind: "too-large", message: `body/events/${tooLarge}: an event may have at most ${eventBytesMax} bytes.` };
	const times: Instant[] = [];
	for (const event of events) {
		const at = event.timestamp === undefined ? now : parseInstant(event.timestamp);
		const fault = at === undefined ? notAnInstant : at > now + aheadMsMax ? tooFarAhead : findUnstorable(event);
		if (at === undefined || fault !== undefined) return refuse(`body/events/${times.length}/${fault}.`);
		times.push(at);
	}
	return { kind: "events", events, times };
}

const notAnInstant = "timestamp: must be an ISO 8601 date-time with a zone, such as 2026-01-31T00:00:00Z";
const tooFarAhead = "timestamp: lies more than 24 hours ahead";
const halfPair = "holds half a surrogate pair, which is no character";

/**
 * Where two ids differ only by broken characters, the database would keep them as the same text. The ids' patterns
 * exclude it.
 */
function findUnstorable({ eventName, idempotencyKey }: UsageEvent): string | undefined {
	if (!eventName.isWellFormed()) return `eventName: ${halfPair}`;
	return idempotencyKey.isWellFormed() ? undefined : `idempotencyKey: ${halfPair}`;
}

const refuse = (message: string): Checked => ({ kind: "refused", code: "BadUserInput", message });

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Not only a syntax error: a value nested a hundred thousand deep exhausts the parser's stack.
		return undefined;
	}
}

/** The first event that is larger than one may be, -1 when none is. Measured as compact JSON, and only in large bodies. */
function findTooLarge(text: string, events: readonly UsageEvent[]): number {
	// A character is at most three bytes of UTF-8 for each unit of its length.
	if (text.length * 3 <= eventBytesMax || Buffer.byteLength(text) <= eventBytesMax) return -1;
	return events.findIndex((event) => Buffer.byteLength(JSON.stringify(event)) > eventBytesMax);
}

function expectation({ schema, message }: { readonly schema: object; readonly message: string }): string {
	if ("expects" in schema && typeof schema.expects === "string") return schema.expects;
	return message.charAt(0).toLowerCase() + message.slice(1);
}
