import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { answer, single } from "../../../kernel/schema";
import type { Services } from "../../../services";
import { UsageMeasurement, UsageReportBody } from "../../usage/reports/schema";
import { consumptionOperations as operations } from "./openapi";
import { consume, reportUsage } from "./operations";
import { commitReservation, getReservation, releaseReservation, reserve } from "./operations.reservations";
import {
	CommitBody,
	ConsumeBody,
	Consumption,
	ConsumptionPath,
	Reservation,
	ReservationAnswer,
	ReservationBody,
	ReservationPath,
} from "./schema";

const permit = "USAGE:WRITE";

/** What needs both what was used and what a customer may use: reports of usage, and taking it step by step. */
export const consumptionRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1", normalize: false })
		.use(identity(services))
		.post("/usage", ({ create, body }) => create((work) => ({ data: reportUsage(work, body) })), {
			detail: { ...operations.report, tags: ["Usage"] },
			permit,
			body: UsageReportBody,
			response: { 201: answer(Type.Object({ data: Type.Array(UsageMeasurement) })) },
		})
		.post(
			"/customers/:id/entitlements/:featureId/consume",
			({ write, params: { id, featureId }, body }) => write((work) => ({ data: consume(work, id, featureId, body) })),
			{
				detail: { ...operations.consume, tags: ["Entitlements"] },
				permit,
				params: ConsumptionPath,
				body: ConsumeBody,
				response: single(Consumption),
			},
		)
		.post(
			"/customers/:id/entitlements/:featureId/reservations",
			({ write, params: { id, featureId }, body }) => write((work) => ({ data: reserve(work, id, featureId, body) })),
			{
				detail: { ...operations.reserve, tags: ["Entitlements"] },
				permit,
				params: ConsumptionPath,
				body: ReservationBody,
				response: single(ReservationAnswer),
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
