import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { invoiceTotalsOperations as operations } from "./openapi";
import { invoiceTotals } from "./operations";
import { InvoiceTotals, InvoiceTotalsQuery } from "./schema";

export const invoiceTotalsRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/invoices", tags: ["Invoices"], normalize: false })
		.use(identity(services))
		.get("/totals", ({ read, query }) => read((work) => ({ data: invoiceTotals(work, query) })), {
			detail: operations.list,
			permit: "INVOICE:READ",
			query: InvoiceTotalsQuery,
			response: single(Type.Array(InvoiceTotals)),
		});
