import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, RefId, single } from "../../kernel/schema";
import type { Services } from "../../services";
import { assertJourneyPlans } from "../plans/operations";
import { createProduct, getProduct, listProducts, updateProduct } from "./operations";
import { Product, ProductCreate, ProductListQuery, ProductUpdate } from "./schema";
import { viewProduct } from "./view";

export const productRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/products", tags: ["Products"], normalize: false })
		.use(identity(services))
		.get("/", ({ read, query }) => read((work) => viewPage(listProducts(work, query), viewProduct)), {
			permit: { scope: "CATALOG:READ", publishable: true },
			query: ProductListQuery,
			response: listOf(Product),
		})
		.post("/", ({ create, body }) => create((work) => ({ data: viewProduct(createProduct(work, body)) })), {
			permit: "CATALOG:WRITE",
			body: ProductCreate,
			response: { 201: single(Product) },
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) =>
				write((work) => {
					const product = getProduct(work, id);
					// Products come before plans, so it is here that the plans which the settings name are looked for.
					assertJourneyPlans(work, product, body.productSettings);
					return { data: viewProduct(updateProduct(work, id, body)) };
				}),
			{ permit: "CATALOG:WRITE", params: Type.Object({ id: RefId }), body: ProductUpdate, response: single(Product) },
		);
