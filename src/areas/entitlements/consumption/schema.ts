import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { queryList } from "../../../kernel/query";
import { CustomerRefId, nullable, RefId, Timestamp } from "../../../kernel/schema";
import { AccessDeniedReason, EffectiveFeatureEntitlement } from "../../entitlement-sources/schema";
import { ReportDimensions, ReportKey, UsageMeasurement } from "../../usage/reports/schema";
import { type ReservationState, reservationStates } from "../reservations/rules";

const Amount = Type.Number({ exclusiveMinimum: 0 });

const taken = {
	/** In reported units; default 1. */
	amount: Type.Optional(Amount),
	resourceId: Type.Optional(nullable(RefId)),
	idempotencyKey: Type.Optional(ReportKey),
	/** They attribute the usage to entities with budgets. */
	dimensions: Type.Optional(ReportDimensions),
} as const;

export const ConsumeBody = Type.Object(
	{ ...taken, createdAt: Type.Optional(Timestamp) },
	{ additionalProperties: false },
);
export type ConsumeBody = Static<typeof ConsumeBody>;

/** The longest and the default duration of a reservation. */
export const reservationSecondsMax = 24 * 60 * 60;
export const reservationSecondsDefault = 300;

export const ReservationBody = Type.Object(
	{
		...taken,
		/** Seconds from now. */
		expiresIn: Type.Optional(Type.Integer({ minimum: 1, maximum: reservationSecondsMax })),
		expiresAt: Type.Optional(Timestamp),
	},
	{ additionalProperties: false },
);
export type ReservationBody = Static<typeof ReservationBody>;

export const CommitBody = Type.Object(
	{ amount: Type.Optional(Amount), dimensions: Type.Optional(ReportDimensions) },
	{ additionalProperties: false },
);
export type CommitBody = Static<typeof CommitBody>;

export const ConsumptionPath = Type.Object({ id: CustomerRefId, featureId: RefId });
export const ReservationListPath = Type.Object({ id: CustomerRefId });
export const ReservationListQuery = Type.Object(
	{
		...pageQuery,
		featureId: Type.Optional(RefId),
		resourceId: Type.Optional(RefId),
		status: Type.Optional(queryList(...reservationStates)),
	},
	{ additionalProperties: false },
);
export type ReservationListQuery = Static<typeof ReservationListQuery>;
export const ReservationPath = Type.Object({ id: Type.String({ format: "uuid" }) });

const decision = {
	isGranted: Type.Boolean(),
	accessDeniedReason: nullable(AccessDeniedReason),
	/** As a check shows it, including the consumed amount. */
	entitlement: EffectiveFeatureEntitlement,
} as const;

export const Consumption = Type.Object(
	{
		...decision,
		/** The recorded usage; null if none was recorded. */
		usage: nullable(UsageMeasurement),
	},
	{ $id: "Consumption" },
);
export type Consumption = Static<typeof Consumption>;

export const Reservation = Type.Object(
	{
		id: Type.String(),
		customerId: Type.String(),
		featureId: Type.String(),
		resourceId: nullable(Type.String()),
		amount: Type.Number(),
		status: Type.Unsafe<ReservationState>(Type.String({ enum: [...reservationStates] })),
		expiresAt: Type.String(),
		/** The actual usage; null before the commit. */
		committedAmount: nullable(Type.Number()),
		/** The id of the recorded usage. */
		usageId: nullable(Type.String()),
		dimensions: ReportDimensions,
		createdAt: Type.String(),
		endedAt: nullable(Type.String()),
	},
	{ $id: "Reservation" },
);
export type Reservation = Static<typeof Reservation>;

export const ReservationAnswer = Type.Object({ ...decision, reservation: nullable(Reservation) }, { $id: "Reserved" });
export type ReservationAnswer = Static<typeof ReservationAnswer>;
