import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { Currency, CustomerRefId, literals, nullable, RefId } from "../../../kernel/schema";
import { creditAmountMax } from "../rules.amounts";
import { expirationPeriods, thresholdTypes } from "./rules";

const closed = { additionalProperties: false };

export const AutoRechargeQuery = Type.Object({ customerId: CustomerRefId, currencyId: RefId }, closed);
export type AutoRechargeQuery = Static<typeof AutoRechargeQuery>;

const Credits = ExactNumber({ minimum: 0, maximum: creditAmountMax });
/** As for the cost of a grant. */
const Spend = ExactNumber({ minimum: 0, maximum: 1e12 });

/** Each request replaces all settings. An omitted field means null. */
export const AutoRechargeSave = Type.Object(
	{
		customerId: CustomerRefId,
		currencyId: RefId,
		isEnabled: Type.Boolean(),
		thresholdType: literals(...thresholdTypes),
		/** Credits, or money in the currency of the price of a credit. */
		thresholdValue: Credits,
		/** Credits. */
		targetBalance: Credits,
		/** For a calendar month (UTC), in the currency of the price of a credit; null: no limit. */
		maxSpendLimit: Type.Optional(nullable(Spend)),
		grantExpirationPeriod: literals(...expirationPeriods),
		/** The price of a credit if the customer's plan sells none. */
		unitPrice: Type.Optional(
			nullable(
				Type.Object({ amount: ExactNumber({ exclusiveMinimum: 0, maximum: 1e12 }), currency: Currency }, closed),
			),
		),
	},
	closed,
);
export type AutoRechargeSave = Static<typeof AutoRechargeSave>;

export const AutoRecharge = Type.Object(
	{
		id: nullable(Type.String()),
		customerId: Type.String(),
		currencyId: Type.String(),
		isEnabled: Type.Boolean(),
		thresholdType: literals(...thresholdTypes),
		thresholdValue: Type.Number(),
		targetBalance: Type.Number(),
		maxSpendLimit: nullable(Type.Number()),
		grantExpirationPeriod: literals(...expirationPeriods),
		createdAt: nullable(Type.String()),
		updatedAt: nullable(Type.String()),
		/** Additions to the reference interface, omitted where empty. The price of a credit in the settings. */
		unitPrice: Type.Optional(Type.Object({ amount: Type.Number(), currency: Type.String() })),
		/** The cost of the recharges of this month. */
		currentMonthlySpend: Type.Optional(Type.Number()),
		/** Why the last recharge failed, and when it is retried. */
		problem: Type.Optional(Type.Object({ message: Type.String(), retryDate: nullable(Type.String()) })),
	},
	{ $id: "CreditAutoRecharge" },
);
export type AutoRecharge = Static<typeof AutoRecharge>;
