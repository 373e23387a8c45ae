import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, RefId, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { taxOperations as operations } from "./openapi";
import { archiveTax, createTax, getTax, listTaxes, updateTax } from "./operations";
import { Tax, TaxCreate, TaxListQuery, TaxUpdate } from "./schema";
import { viewTax } from "./view";

const params = Type.Object({ id: RefId });

export const taxRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/taxes", tags: ["Taxes"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listTaxes(work, query), viewTax)), {
			detail: operations.list,
			permit: "CATALOG:READ",
			query: TaxListQuery,
			response: listOf(Tax),
		})
		.post("", ({ create, body }) => create((work) => ({ data: viewTax(createTax(work, body)) })), {
			detail: operations.create,
			permit: "CATALOG:WRITE",
			body: TaxCreate,
			response: { 201: single(Tax) },
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => ({ data: viewTax(getTax(work, id)) })), {
			detail: operations.retrieve,
			permit: "CATALOG:READ",
			params,
			response: single(Tax),
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) => write((work) => ({ data: viewTax(updateTax(work, id, body)) })),
			{ detail: operations.update, permit: "CATALOG:WRITE", params, body: TaxUpdate, response: single(Tax) },
		)
		.post("/:id/archive", ({ write, params: { id } }) => write((work) => ({ data: viewTax(archiveTax(work, id)) })), {
			detail: operations.archive,
			permit: "CATALOG:WRITE",
			params,
			response: single(Tax),
		});
