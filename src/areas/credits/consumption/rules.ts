import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Dimensions } from "../../pricing/models/formula";

/** Our choice, as for events and reports: clocks differ, and a day is more than any does. */
const aheadMsMax = 24 * 60 * 60 * 1000;

/** What a caller says of a consumption, beside its key and whose it is. */
export interface Said {
	readonly currencyId: string;
	/** The caller's id; empty for none. */
	readonly resourceId: string;
	readonly amount: Decimal;
	/** Null where no time is named: then it is now, and may be left out again. */
	readonly createdAt: Instant | null;
	readonly dimensions: Dimensions | null;
}

/** BadUserInput for what lies too far ahead of the environment's clock. */
export function assertNotAhead(createdAt: Instant | null, now: Instant, where: string): void {
	if (createdAt !== null && createdAt > now + aheadMsMax)
		throw fail(
			"BadUserInput",
			`${where}/createdAt: lies more than 24 hours ahead; report a consumption when it has happened.`,
		);
}

/** BadUserInput naming what differs from what was said under the same key before. */
export function assertSameIdempotentRequest(
	before: Said,
	again: Said,
	{ idempotencyKey, where }: { readonly idempotencyKey: string; readonly where: string },
): void {
	const names = ["currencyId", "resourceId", "amount", "createdAt", "dimensions"] as const;
	const differing = names.filter((name) => inOrder(before[name]) !== inOrder(again[name]));
	if (differing.length > 0)
		throw fail(
			"BadUserInput",
			`${where}/idempotencyKey: '${idempotencyKey}' was used by this customer for a consumption with another ${differing.join(", ")}; use a new key for a new consumption.`,
		);
}

/** Two texts are the same where what they stand for is, in whatever order its keys came. */
const inOrder = (value: unknown): string =>
	typeof value === "object" && value !== null
		? JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
		: `${value}`;
