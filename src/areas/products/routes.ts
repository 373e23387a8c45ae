import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, RefId, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { productOperations as operations } from "./openapi";
import { createProduct, listProducts, type ProductsInUse, unarchiveProduct } from "./operations";
import { Product, ProductCreate, ProductDuplicate, ProductListQuery, ProductUpdate } from "./schema";
import { viewProduct } from "./view";

const params = Type.Object({ id: RefId });

export const productRoutes = (services: Services, inUse: ProductsInUse) =>
	new Elysia({ prefix: "/api/v1/products", tags: ["Products"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listProducts(work, query), viewProduct)), {
			detail: operations.list,
			permit: { scope: "CATALOG:READ", publishable: true },
			query: ProductListQuery,
			response: listOf(Product),
		})
		.post("", ({ create, body }) => create((work) => ({ data: viewProduct(createProduct(work, body)) })), {
			detail: operations.create,
			permit: "CATALOG:WRITE",
			body: ProductCreate,
			response: { 201: single(Product) },
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) => write((work) => ({ data: viewProduct(inUse.change(work, id, body)) })),
			{ detail: operations.update, permit: "CATALOG:WRITE", params, body: ProductUpdate, response: single(Product) },
		)
		.post(
			"/:id/archive",
			({ write, params: { id } }) => write((work) => ({ data: viewProduct(inUse.archive(work, id)) })),
			{ detail: operations.archive, permit: "CATALOG:WRITE", params, response: single(Product) },
		)
		.post(
			"/:id/unarchive",
			({ write, params: { id } }) => write((work) => ({ data: viewProduct(unarchiveProduct(work, id)) })),
			{ detail: operations.unarchive, permit: "CATALOG:WRITE", params, response: single(Product) },
		)
		.post(
			"/:id/duplicate",
			({ create, params: { id }, body }) => create((work) => ({ data: viewProduct(inUse.duplicate(work, id, body)) })),
			{
				detail: operations.duplicate,
				permit: "CATALOG:WRITE",
				params,
				body: ProductDuplicate,
				response: { 201: single(Product) },
			},
		);
