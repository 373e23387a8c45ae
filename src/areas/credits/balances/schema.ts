import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { CustomerRefId, nullable, RefId } from "../../../kernel/schema";

const closed = { additionalProperties: false };

/** Which of a customer's wallets: all of them, those of a currency, of a resource, or (empty) of no resource. */
export const walletsQuery = {
	customerId: CustomerRefId,
	currencyId: Type.Optional(RefId),
	resourceId: Type.Optional(Type.Union([Type.Literal(""), RefId])),
} as const;

export interface WalletsQuery {
	readonly customerId: string;
	readonly currencyId?: string;
	readonly resourceId?: string;
}

/** One wallet: on a resource, or on none. */
export const BalanceQuery = Type.Object(
	{ customerId: CustomerRefId, currencyId: RefId, resourceId: Type.Optional(RefId) },
	closed,
);
export type BalanceQuery = Static<typeof BalanceQuery>;

export const BalancesQuery = Type.Object({ ...pageQuery, ...walletsQuery }, closed);
export type BalancesQuery = Static<typeof BalancesQuery>;

export const CreditBalance = Type.Object(
	{
		customerId: Type.String(),
		currencyId: Type.String(),
		resourceId: nullable(Type.String()),
		/** Of its active grants. */
		usageLimit: Type.Number(),
		/** Of these, and beyond them: with the overdraft, and with what is accepted and to be settled in a moment. */
		currentUsage: Type.Number(),
		/** What is left; below zero where more was consumed than there was. */
		currentBalance: Type.Number(),
		/** What is consumed beyond all grants, and waits for the next one. */
		overdraft: Type.Number(),
		/** The soonest end of its active recurring grants. */
		usagePeriodEnd: nullable(Type.String()),
		/** When a grant becomes effective or ends next; until then only consumption and new grants change the balance. */
		validUntil: nullable(Type.String()),
		/** The version of the balance: the newest is the one to keep. */
		timestamp: Type.String(),
	},
	{ $id: "CreditBalance" },
);
export type CreditBalance = Static<typeof CreditBalance>;
