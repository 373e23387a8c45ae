import { FormatRegistry, type Static, Type } from "@sinclair/typebox";
import { nullable, Timestamp } from "../kernel/schema";

FormatRegistry.Set("positive duration", (text) => parseDuration(text) !== undefined);

/** Parses a positive ISO 8601 duration; undefined for any other text. */
export function parseDuration(text: string): Temporal.Duration | undefined {
	try {
		const duration = Temporal.Duration.from(text);
		return duration.sign > 0 ? duration : undefined;
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

export const durationExpected = "must be a positive ISO 8601 duration, such as P1M or P1Y2DT3H";

/** The routes of test clocks are our addition to the interface. */
export const ClockPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) });

export const ClockBody = Type.Object(
	{
		now: Type.Optional(Timestamp),
		advanceBy: Type.Optional(
			Type.String({
				format: "positive duration",
				maxLength: 64,
				expects: durationExpected,
				description: "ISO 8601 duration, counted on the UTC calendar",
			}),
		),
	},
	{ additionalProperties: false },
);
export type ClockBody = Static<typeof ClockBody>;

const clock = {
	environmentId: Type.String(),
	/** The environment's time. */
	now: Type.String(),
	isFrozen: Type.Boolean(),
	/** When the next renewal, trial end, expiry, grant of credits or scheduled change falls due. */
	nextDueAt: nullable(Type.String()),
};

export const ClockView = Type.Object(clock);
export type ClockView = Static<typeof ClockView>;

export const TurnedClockView = Type.Object({
	...clock,
	/** The number of due steps, such as renewals and trial ends, that this call carried out. */
	steps: Type.Integer(),
	/**
	 * Those that could not be carried out, the first hundred, by what they were about; each subscription shows its problem,
	 * and when it is tried again.
	 */
	failures: Type.Optional(
		Type.Array(
			Type.Object({
				subscriptionId: Type.Optional(Type.String()),
				creditGrantId: Type.Optional(Type.String()),
				contractId: Type.Optional(Type.String()),
				invoiceId: Type.Optional(Type.String()),
				customerId: Type.Optional(Type.String()),
				currencyId: Type.Optional(Type.String()),
				entityId: Type.Optional(Type.String()),
				error: Type.String(),
			}),
		),
	),
});
export type TurnedClockView = Static<typeof TurnedClockView>;
