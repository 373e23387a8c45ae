import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, RefId, single } from "../../kernel/schema";
import type { Services } from "../../services";
import { createFeature, getFeature, listFeatures, updateFeature } from "./operations";
import { Feature, FeatureCreate, FeatureListQuery, FeatureUpdate } from "./schema";
import { viewFeature } from "./view";

const params = Type.Object({ id: RefId });
const readable = { scope: "CATALOG:READ", publishable: true } as const;

export const featureRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/features", tags: ["Features"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listFeatures(work, query), viewFeature)), {
			permit: readable,
			query: FeatureListQuery,
			response: listOf(Feature),
		})
		.post("", ({ create, body }) => create((work) => ({ data: viewFeature(createFeature(work, body)) })), {
			permit: "CATALOG:WRITE",
			body: FeatureCreate,
			response: { 201: single(Feature) },
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => ({ data: viewFeature(getFeature(work, id)) })), {
			permit: readable,
			params,
			response: single(Feature),
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) => write((work) => ({ data: viewFeature(updateFeature(work, id, body)) })),
			{ permit: "CATALOG:WRITE", params, body: FeatureUpdate, response: single(Feature) },
		);
