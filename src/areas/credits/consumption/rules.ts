import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Dimensions } from "../../pricing/models/formula";

/** As for events and reports: clocks differ by less than a day. */
const aheadMsMax = 24 * 60 * 60 * 1000;

/** The terms of a consumption that a repeated request must repeat. */
export interface ConsumptionTerms {
	readonly currencyId: string;
	/** The caller's id; empty for none. */
	readonly resourceId: string;
	readonly amount: Decimal;
	/** Null where the request names no time, which means now. */
	readonly createdAt: Instant | null;
	readonly dimensions: Dimensions | null;
}

/** Throws BadUserInput for a time that is too far ahead of the environment's clock. */
export function assertNotAhead(createdAt: Instant | null, now: Instant, where: string): void {
	if (createdAt !== null && createdAt > now + aheadMsMax)
		throw fail(
			"BadUserInput",
			`${where}/createdAt: is more than 24 hours ahead; report a consumption after it has happened.`,
		);
}

/** BadUserInput with the names of the fields that differ from the first request of the same key. */
export function assertSameIdempotentRequest(
	before: ConsumptionTerms,
	again: ConsumptionTerms,
	{ idempotencyKey, where }: { readonly idempotencyKey: string; readonly where: string },
): void {
	const names = ["currencyId", "resourceId", "amount", "createdAt", "dimensions"] as const;
	const differing = names.filter((name) => canonicalText(before[name]) !== canonicalText(again[name]));
	if (differing.length > 0)
		throw fail(
			"BadUserInput",
			`${where}/idempotencyKey: '${idempotencyKey}' was used by this customer for a consumption with another ${differing.join(", ")}; use a new key for a new consumption.`,
		);
}

/** Equal values have equal texts, in any order of their keys. */
const canonicalText = (value: unknown): string =>
	typeof value === "object" && value !== null
		? JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
		: `${value}`;
