import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../kernel/schema";
import { EarlyCancellation } from "../pricing/schema.term";

/** The term that runs (docs/pricing.md#terms). */
export const RunningTermShown = Type.Object({
	/** 1 is the first term. */
	number: Type.Integer(),
	startDate: Type.String(),
	endDate: Type.String(),
	/** The last time at which notice ends the subscription with this term; null if the term is not renewed. */
	noticeDate: nullable(Type.String()),
	/** The length, in months, and the price increase of the next term; null if none follows. */
	renewal: nullable(Type.Object({ months: Type.Integer(), upliftPercentage: Type.Number() })),
	earlyCancellation: EarlyCancellation,
	/** The time up to which the scheduled end is paid for; null if nothing is owed. */
	owedUntil: nullable(Type.String()),
});
export type RunningTermShown = Static<typeof RunningTermShown>;
