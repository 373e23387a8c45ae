import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { CustomerRefId, nullable, RefId } from "../../../kernel/schema";

const closed = { additionalProperties: false };

/** Selects wallets of a customer: all, or those of a currency, of a resource, or (empty) of no resource. */
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

/** Selects one wallet, on a resource or on none. */
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
		/** The total of the active grants. */
		usageLimit: Type.Number(),
		/** The used credits, including the overdraft and accepted consumptions that are not settled yet. */
		currentUsage: Type.Number(),
		/** The remaining credits; below zero where consumption exceeds the grants. */
		currentBalance: Type.Number(),
		/** The consumption beyond all grants, which the next grant settles. */
		overdraft: Type.Number(),
		/** The earliest expiry of the active recurring grants. */
		usagePeriodEnd: nullable(Type.String()),
		/** When the next grant becomes active or expires. Until then only consumption and new grants change the balance. */
		validUntil: nullable(Type.String()),
		/** The version of the balance: the newest is current. */
		timestamp: Type.String(),
	},
	{ $id: "CreditBalance" },
);
export type CreditBalance = Static<typeof CreditBalance>;
