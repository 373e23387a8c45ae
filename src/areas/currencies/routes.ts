import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Services } from "../../services";
import { createCurrency, listCurrencies } from "./operations";
import { CurrencyCreate, CurrencyListQuery, CustomCurrency } from "./schema";
import { viewCurrency } from "./view";

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
		});
