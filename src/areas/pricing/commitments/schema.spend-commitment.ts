import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { Currency, literals } from "../../../kernel/schema";
import { commitmentRules, commitmentRulesShown } from "./schema.commitment";

/** Our limit: two for each currency that a seller uses. */
const commitmentsMax = 100;

const scope = literals("ALL", "ON_DEMAND");

/** Our addition: what the charges of a subscription owe in each window (docs/pricing.md#commitments-of-all-charges). */
export const SpendCommitments = Type.Array(
	Type.Object(
		{
			/** Default: ALL. */
			scope: Type.Optional(scope),
			currency: Currency,
			amount: ExactNumber({ minimum: 0, maximum: 1e12 }),
			...commitmentRules,
		},
		{ additionalProperties: false },
	),
	{ maxItems: commitmentsMax },
);
export type SpendCommitments = Static<typeof SpendCommitments>;

/** The commitments in responses, without defaults of their rules. */
export const SpendCommitmentsShown = Type.Array(
	Type.Object({ scope, currency: Type.String(), amount: Type.Number(), ...commitmentRulesShown }),
);
export type SpendCommitmentsShown = Static<typeof SpendCommitmentsShown>;
