import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, RefId, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { currencyOperations as operations } from "./openapi";
import {
	archiveCurrency,
	type CurrencyHolds,
	createCurrency,
	listAssociatedEntities,
	listCurrencies,
	unarchiveCurrency,
	updateCurrency,
} from "./operations";
import { AssociatedEntity, CurrencyCreate, CurrencyListQuery, CurrencyUpdate, CustomCurrency } from "./schema";
import { viewAssociatedEntity, viewCurrency } from "./view";

const params = Type.Object({ id: RefId });

export const currencyRoutes = (services: Services, holds: CurrencyHolds) =>
	new Elysia({ prefix: "/api/v1/credits/custom-currencies", tags: ["Custom currencies"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listCurrencies(work, query), viewCurrency)), {
			detail: operations.list,
			permit: "CATALOG:READ",
			query: CurrencyListQuery,
			response: listOf(CustomCurrency),
		})
		.post("", ({ create, body }) => create((work) => ({ data: viewCurrency(createCurrency(work, body)) })), {
			detail: operations.create,
			permit: "CATALOG:WRITE",
			body: CurrencyCreate,
			response: { 201: single(CustomCurrency) },
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) => write((work) => ({ data: viewCurrency(updateCurrency(work, id, body)) })),
			{
				detail: operations.update,
				permit: "CATALOG:WRITE",
				params,
				body: CurrencyUpdate,
				response: single(CustomCurrency),
			},
		)
		.post(
			"/:id/archive",
			({ write, params: { id } }) => write((work) => ({ data: viewCurrency(archiveCurrency(work, id, holds)) })),
			{ detail: operations.archive, permit: "CATALOG:WRITE", params, response: single(CustomCurrency) },
		)
		.post(
			"/:id/unarchive",
			({ write, params: { id } }) => write((work) => ({ data: viewCurrency(unarchiveCurrency(work, id)) })),
			{ detail: operations.unarchive, permit: "CATALOG:WRITE", params, response: single(CustomCurrency) },
		)
		.get(
			"/:id/associated-entities",
			({ read, params: { id } }) =>
				read((work) => ({ data: listAssociatedEntities(work, id, holds.usersOf).map(viewAssociatedEntity) })),
			{
				detail: operations.listAssociatedEntities,
				permit: "CATALOG:READ",
				params,
				response: single(Type.Array(AssociatedEntity)),
			},
		);
