import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { answer, listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { UsageMeasurement, UsageReportBody } from "../../usage/reports/schema";
import { consumptionOperations as operations } from "./openapi";
import { consume, reportUsage } from "./operations";
import { estimateEvent, estimateUsage } from "./operations.estimate";
import {
	commitReservation,
	getReservation,
	listReservations,
	releaseReservation,
	reserve,
} from "./operations.reservations";
import {
	CommitBody,
	ConsumeBody,
	Consumption,
	ConsumptionPath,
	Reservation,
	ReservationAnswer,
	ReservationBody,
	ReservationListPath,
	ReservationListQuery,
	ReservationPath,
} from "./schema";
import { CreditEstimate, EventEstimateBody, UsageEstimateBody } from "./schema.estimate";

const permit = "USAGE:WRITE";

/** Estimates write nothing, so each HTTP thread answers them. */
const estimating = { scope: "USAGE:READ", asksWriter: true } as const;

/** The most frequent writes. The writer decides many of them in one time slice, without a second pass through the router. */
const asked = { scope: permit, asksWriter: true } as const;

/** Routes that need both usage and access: reports, consumption and reservations. */
export const consumptionRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1", normalize: false })
		.use(identity(services))
		.post("/usage", ({ create, body }) => create((work) => ({ data: reportUsage(work, body) })), {
			detail: { ...operations.report, tags: ["Usage"] },
			permit,
			body: UsageReportBody,
			response: { 201: answer(Type.Object({ data: Type.Array(UsageMeasurement) })) },
		})
		.post("/usage/estimate", ({ read, body }) => read((work) => ({ data: estimateUsage(work, body) })), {
			detail: { ...operations.estimateUsage, tags: ["Usage"] },
			permit: estimating,
			body: UsageEstimateBody,
			response: single(CreditEstimate),
		})
		.post("/events/estimate", ({ read, body }) => read((work) => ({ data: estimateEvent(work, body) })), {
			detail: { ...operations.estimateEvent, tags: ["Usage"] },
			permit: estimating,
			body: EventEstimateBody,
			response: single(CreditEstimate),
		})
		.post(
			"/customers/:id/entitlements/:featureId/consume",
			({ ask, params: { id, featureId }, body }) =>
				ask("consume", { customerRef: id, featureRef: featureId, body }, (work) => ({
					data: consume(work, id, featureId, body),
				})),
			{
				detail: { ...operations.consume, tags: ["Entitlements"] },
				permit: asked,
				params: ConsumptionPath,
				body: ConsumeBody,
				response: single(Consumption),
			},
		)
		.post(
			"/customers/:id/entitlements/:featureId/reservations",
			({ ask, params: { id, featureId }, body }) =>
				ask("reserve", { customerRef: id, featureRef: featureId, body }, (work) => ({
					data: reserve(work, id, featureId, body),
				})),
			{
				detail: { ...operations.reserve, tags: ["Entitlements"] },
				permit: asked,
				params: ConsumptionPath,
				body: ReservationBody,
				response: single(ReservationAnswer),
			},
		)
		.get(
			"/customers/:id/reservations",
			({ read, params: { id }, query }) =>
				read((work) => viewPage(listReservations(work, id, query), (reservation) => reservation)),
			{
				detail: { ...operations.listReservations, tags: ["Entitlements"] },
				permit: "USAGE:READ",
				params: ReservationListPath,
				query: ReservationListQuery,
				response: listOf(Reservation),
			},
		)
		.get("/reservations/:id", ({ read, params: { id } }) => read((work) => ({ data: getReservation(work, id) })), {
			detail: { ...operations.retrieveReservation, tags: ["Entitlements"] },
			permit: "USAGE:READ",
			params: ReservationPath,
			response: single(Reservation),
		})
		.post(
			"/reservations/:id/commit",
			({ write, params: { id }, body }) => write((work) => ({ data: commitReservation(work, id, body) })),
			{
				detail: { ...operations.commit, tags: ["Entitlements"] },
				permit,
				params: ReservationPath,
				body: CommitBody,
				response: single(Reservation),
			},
		)
		.post(
			"/reservations/:id/release",
			({ write, params: { id } }) => write((work) => ({ data: releaseReservation(work, id) })),
			{
				detail: { ...operations.release, tags: ["Entitlements"] },
				permit,
				params: ReservationPath,
				response: single(Reservation),
			},
		);
