import { type Static, Type } from "@sinclair/typebox";
import { CustomerRefId, nullable, RefId, Timestamp } from "../../../kernel/schema";
import { creditAmountMax } from "../rules.amounts";

/** docs/interface/credits.md. */
export const consumptionsPerRequestMax = 1000;

/** As for reports of usage: names and values are stored with each consumption. */
const dimensionsMax = 50;
const Dimensions = Type.Record(
	Type.String({ minLength: 1, maxLength: 255 }),
	Type.Unsafe<string | number | boolean>(
		Type.Union([Type.String({ maxLength: 1024 }), Type.Number(), Type.Boolean()], {
			expects: "must be a string of at most 1024 characters, a number or a boolean",
		}),
	),
	{ maxProperties: dimensionsMax },
);

export const CreditConsumption = Type.Object(
	{
		customerId: CustomerRefId,
		currencyId: RefId,
		amount: Type.Number({ exclusiveMinimum: 0, maximum: creditAmountMax }),
		idempotencyKey: Type.String({ minLength: 1, maxLength: 255 }),
		resourceId: Type.Optional(RefId),
		/** The time of the consumption; default: now. */
		createdAt: Type.Optional(Timestamp),
		dimensions: Type.Optional(Dimensions),
	},
	{ additionalProperties: false },
);
export type CreditConsumption = Static<typeof CreditConsumption>;

export const CreditConsumptions = Type.Object(
	{ consumptions: Type.Array(CreditConsumption, { minItems: 1, maxItems: consumptionsPerRequestMax }) },
	{ additionalProperties: false },
);
export type CreditConsumptions = Static<typeof CreditConsumptions>;

/** The consumed credits, and the totals of the wallet directly afterwards. */
export const CreditsConsumed = Type.Object(
	{
		customerId: Type.String(),
		currencyId: Type.String(),
		resourceId: nullable(Type.String()),
		amount: Type.Number(),
		/** The time of the consumption. */
		timestamp: Type.String(),
		credit: Type.Object({
			currencyId: Type.String(),
			currentUsage: Type.Number(),
			usageLimit: Type.Number(),
			/** The version of the balance: the newest is current. */
			timestamp: Type.String(),
			usagePeriodEnd: nullable(Type.String()),
		}),
	},
	{ $id: "CreditsConsumed" },
);
export type CreditsConsumed = Static<typeof CreditsConsumed>;

/** All consumptions are stored, and their credits will be consumed. */
export const CreditsAccepted = Type.Object({}, { additionalProperties: false });
