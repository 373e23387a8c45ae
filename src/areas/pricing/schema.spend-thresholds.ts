import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../kernel/number-schema";
import { Currency, Money } from "../../kernel/schema";

/** Our limit: one for each currency that a seller uses. */
const thresholdsMax = 50;

/** Our addition: the cost of usage that is invoiced at once (docs/pricing.md#usage-invoiced-at-a-threshold). */
export const SpendThresholds = Type.Array(
	Type.Object(
		{ currency: Currency, amount: ExactNumber({ exclusiveMinimum: 0, maximum: 1e12 }) },
		{ additionalProperties: false },
	),
	{ maxItems: thresholdsMax },
);
export type SpendThresholds = Static<typeof SpendThresholds>;

/** The thresholds in responses. */
export const SpendThresholdsShown = Type.Array(Money);
