import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, RefId, single } from "../../kernel/schema";
import type { Services } from "../../services";
import { packagesUsing } from "../packages/operations.uses";
import {
	archiveCurrency,
	createCurrency,
	listAssociatedEntities,
	listCurrencies,
	unarchiveCurrency,
	updateCurrency,
} from "./operations";
import { AssociatedEntity, CurrencyCreate, CurrencyListQuery, CurrencyUpdate, CustomCurrency } from "./schema";
import { viewAssociatedEntity, viewCurrency } from "./view";

const params = Type.Object({ id: RefId });

export const currencyRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/credits/custom-currencies", tags: ["Custom currencies"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listCurrencies(work, query), viewCurrency)), {
			permit: "CATALOG:READ",
			query: CurrencyListQuery,
			response: listOf(CustomCurrency),
		})
		.post("", ({ create, body }) => create((work) => ({ data: viewCurrency(createCurrency(work, body)) })), {
			permit: "CATALOG:WRITE",
			body: CurrencyCreate,
			response: { 201: single(CustomCurrency) },
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) => write((work) => ({ data: viewCurrency(updateCurrency(work, id, body)) })),
			{ permit: "CATALOG:WRITE", params, body: CurrencyUpdate, response: single(CustomCurrency) },
		)
		.post(
			"/:id/archive",
			({ write, params: { id } }) =>
				write((work) => ({ data: viewCurrency(archiveCurrency(work, id, packagesUsing)) })),
			{ permit: "CATALOG:WRITE", params, response: single(CustomCurrency) },
		)
		.post(
			"/:id/unarchive",
			({ write, params: { id } }) => write((work) => ({ data: viewCurrency(unarchiveCurrency(work, id)) })),
			{ permit: "CATALOG:WRITE", params, response: single(CustomCurrency) },
		)
		.get(
			"/:id/associated-entities",
			({ read, params: { id } }) =>
				read((work) => ({ data: listAssociatedEntities(work, id, packagesUsing).map(viewAssociatedEntity) })),
			{ permit: "CATALOG:READ", params, response: single(Type.Array(AssociatedEntity)) },
		);
