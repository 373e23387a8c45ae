import { TypeCompiler } from "@sinclair/typebox/compiler";
import { type Instant, parseInstant } from "../../kernel/clock";
import { shorten } from "../../kernel/errors";
import { EventReport, eventBytesMax, type UsageEvent } from "./schema";
import type { IngestResult } from "./schema.ingest";

/** Source: docs/interface/usage.md. */
const aheadMsMax = 24 * 60 * 60 * 1000;

const report = TypeCompiler.Compile(EventReport);

/** An event that passed, as the log takes it. */
export interface CheckedEvent {
	readonly customerRef: string;
	readonly resourceRef: string | null;
	readonly eventName: string;
	readonly idempotencyKey: string;
	readonly at: Instant;
	/** JSON; null when there are none. */
	readonly dimensions: string | null;
}

export type Checked =
	| { readonly kind: "events"; readonly events: readonly CheckedEvent[] }
	| Extract<IngestResult, { kind: "refused" | "too-large" }>;

/** Reads a body. All or nothing: the first fault refuses it, by index and field (docs/interface/usage.md). */
export function checkEvents(text: string, now: Instant): Checked {
	const body = parse(text);
	if (body === undefined) return refuse("The body is not valid JSON.");
	if (!report.Check(body)) {
		const error = report.Errors(body).First();
		return refuse(`body${shorten(error?.path ?? "")}: ${error ? expectation(error) : "is not valid"}.`);
	}
	const tooLarge = findTooLarge(text, body.events);
	if (tooLarge >= 0)
		return { kind: "too-large", message: `body/events/${tooLarge}: an event may have at most ${eventBytesMax} bytes.` };
	const events: CheckedEvent[] = [];
	for (const [index, event] of body.events.entries()) {
		const { timestamp, customerId, eventName, idempotencyKey, resourceId = null, dimensions } = event;
		const at = timestamp === undefined ? now : parseInstant(timestamp);
		if (at === undefined)
			return refuse(
				`body/events/${index}/timestamp: must be an ISO 8601 date-time with a zone, such as 2026-01-31T00:00:00Z.`,
			);
		if (at > now + aheadMsMax) return refuse(`body/events/${index}/timestamp: lies more than 24 hours ahead.`);
		const unstorable = findUnstorable(event);
		if (unstorable)
			return refuse(`body/events/${index}/${unstorable}: holds half a surrogate pair, which is no character.`);
		events.push({
			customerRef: customerId,
			resourceRef: resourceId,
			eventName,
			idempotencyKey,
			at,
			dimensions: dimensions === undefined ? null : JSON.stringify(dimensions),
		});
	}
	return { kind: "events", events };
}

/**
 * Where two ids differ only by broken characters, the database would keep them as the same text. The ids' patterns
 * exclude it.
 */
function findUnstorable({ eventName, idempotencyKey }: UsageEvent): "eventName" | "idempotencyKey" | undefined {
	if (!eventName.isWellFormed()) return "eventName";
	return idempotencyKey.isWellFormed() ? undefined : "idempotencyKey";
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
