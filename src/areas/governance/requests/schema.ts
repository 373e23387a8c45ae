import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { pageQuery } from "../../../kernel/page";
import { literals, nullable, RefId } from "../../../kernel/schema";

export const RequestDuration = literals("PERIOD", "PERMANENT");
export type RequestDuration = Static<typeof RequestDuration>;

const RequestStatus = literals("PENDING", "APPROVED", "DECLINED", "EXPIRED");
export type RequestStatus = Static<typeof RequestStatus>;

const closed = { additionalProperties: false };

/** As for limits. */
const Amount = ExactNumber({ exclusiveMinimum: 0, maximum: 999_999_999_999_999 });

export const NewBudgetRequest = Type.Object(
	{
		entityId: RefId,
		/** Exactly one of the two. */
		featureId: Type.Optional(RefId),
		currencyId: Type.Optional(RefId),
		/** The amount by which the limit is to be raised. */
		amount: Amount,
		reason: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 1_000 }))),
		/** PERIOD raises the limit of the current window. */
		duration: RequestDuration,
	},
	closed,
);
export type NewBudgetRequest = Static<typeof NewBudgetRequest>;

export const BudgetApproval = Type.Object(
	{
		/** Default: the requested amount. Never more. */
		amount: Type.Optional(Amount),
	},
	closed,
);
export type BudgetApproval = Static<typeof BudgetApproval>;

export const BudgetDecline = Type.Object({}, closed);

export const BudgetRequestPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) });

export const BudgetRequestListQuery = Type.Object({ ...pageQuery, status: Type.Optional(RequestStatus) }, closed);
export type BudgetRequestListQuery = Static<typeof BudgetRequestListQuery>;

export const BudgetRequest = Type.Object(
	{
		id: Type.String(),
		customerId: Type.String(),
		entityId: Type.String(),
		/** One of the two is null. */
		featureId: nullable(Type.String()),
		currencyId: nullable(Type.String()),
		amount: Type.Number(),
		/** Null unless it is approved. */
		approvedAmount: nullable(Type.Number()),
		reason: nullable(Type.String()),
		duration: RequestDuration,
		status: RequestStatus,
		/** When it expires, while it is pending. */
		expiresAt: nullable(Type.String()),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "BudgetRequest" },
);
export type BudgetRequest = Static<typeof BudgetRequest>;
