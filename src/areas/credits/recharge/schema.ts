import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { Currency, CustomerRefId, literals, nullable, RefId } from "../../../kernel/schema";
import { creditAmountMax } from "../rules.amounts";
import { expirationPeriods, thresholdTypes } from "./rules";

const closed = { additionalProperties: false };

export const AutoRechargeQuery = Type.Object({ customerId: CustomerRefId, currencyId: RefId }, closed);
export type AutoRechargeQuery = Static<typeof AutoRechargeQuery>;

const Credits = ExactNumber({ minimum: 0, maximum: creditAmountMax });
/** Our choice: as of what a grant costs. */
const Spend = ExactNumber({ minimum: 0, maximum: 1e12 });

/** Our route. All is said each time; what may be left out is then as if it were null. */
export const AutoRechargeSave = Type.Object(
	{
		customerId: CustomerRefId,
		currencyId: RefId,
		isEnabled: Type.Boolean(),
		thresholdType: literals(...thresholdTypes),
		/** Credits, or money in the currency of a credit's price. */
		thresholdValue: Credits,
		/** Credits. */
		targetBalance: Credits,
		/** Money of a calendar month (UTC), in the currency of a credit's price; null does not limit it. */
		maxSpendLimit: Type.Optional(nullable(Spend)),
		grantExpirationPeriod: literals(...expirationPeriods),
		/** The price of a credit where the customer's plan sells none. */
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
		/** Our additions, left out where there is nothing to say: the settings' own price of a credit. */
		unitPrice: Type.Optional(Type.Object({ amount: Type.Number(), currency: Type.String() })),
		/** What recharges have cost in this month. */
		currentMonthlySpend: Type.Optional(Type.Number()),
		/** Why the balance was not filled up, and when that is tried again. */
		problem: Type.Optional(Type.Object({ message: Type.String(), retryDate: nullable(Type.String()) })),
	},
	{ $id: "CreditAutoRecharge" },
);
export type AutoRecharge = Static<typeof AutoRecharge>;
