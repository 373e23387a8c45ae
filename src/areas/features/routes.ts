import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { HttpRefusal } from "../../http/refusal";
import { viewPage } from "../../kernel/page";
import { listOf, RefId, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { featureOperations as operations } from "./openapi";
import { createFeature, type FeaturesInUse, findMeterOf, getFeature, listFeatures } from "./operations";
import { Feature, FeatureCreate, FeatureListQuery, FeatureUpdate, FeatureUpdated, Meter } from "./schema";
import { viewFeature, viewMeter } from "./view";

const params = Type.Object({ id: RefId });
const readable = { scope: "CATALOG:READ", publishable: true } as const;

export const featureRoutes = (services: Services, inUse: FeaturesInUse) =>
	new Elysia({ prefix: "/api/v1/features", tags: ["Features"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listFeatures(work, query), viewFeature)), {
			detail: operations.list,
			permit: readable,
			query: FeatureListQuery,
			response: listOf(Feature),
		})
		.post("", ({ create, body }) => create((work) => ({ data: viewFeature(createFeature(work, body)) })), {
			detail: operations.create,
			permit: "CATALOG:WRITE",
			body: FeatureCreate,
			response: { 201: single(Feature) },
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => ({ data: viewFeature(getFeature(work, id)) })), {
			detail: operations.retrieve,
			permit: readable,
			params,
			response: single(Feature),
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) =>
				write((work) => {
					const feature = inUse.change(work, id, body);
					const meter = findMeterOf(work, id);
					return { data: { ...viewFeature(feature), meter: meter ? viewMeter(id, meter) : null } };
				}),
			{
				detail: operations.update,
				permit: "CATALOG:WRITE",
				params,
				body: FeatureUpdate,
				response: single(FeatureUpdated),
			},
		)
		.get(
			"/:id/meter",
			({ read, params: { id } }) =>
				read((work) => {
					const meter = findMeterOf(work, id);
					// The error catalogue has no code for a missing meter, because reading meters is our addition.
					if (!meter)
						throw new HttpRefusal(404, `The feature '${id}' has no meter; set one with PATCH /api/v1/features/${id}.`);
					return { data: viewMeter(id, meter) };
				}),
			{ detail: operations.retrieveMeter, permit: "CATALOG:READ", params, response: single(Meter) },
		)
		.post(
			"/:id/archive",
			({ write, params: { id } }) => write((work) => ({ data: viewFeature(inUse.archive(work, id)) })),
			{ detail: operations.archive, permit: "CATALOG:WRITE", params, response: single(Feature) },
		)
		.post(
			"/:id/unarchive",
			({ write, params: { id } }) => write((work) => ({ data: viewFeature(inUse.unarchive(work, id)) })),
			{ detail: operations.unarchive, permit: "CATALOG:WRITE", params, response: single(Feature) },
		);
