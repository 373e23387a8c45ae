import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { explainLineOf } from "./line";
import { explainOperations as operations } from "./openapi";
import { LineExplanation, LinePath } from "./schema";

export const explainRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers/:id/invoices/:invoiceRef/lines", tags: ["Invoices"], normalize: false })
		.use(identity(services))
		.get(
			"/:line/explain",
			({ read, params: { id, invoiceRef, line } }) =>
				read((work) => ({ data: explainLineOf(work, id, invoiceRef, Number(line)) })),
			{
				detail: operations.explain,
				permit: "INVOICE:READ",
				params: LinePath,
				response: single(LineExplanation),
			},
		);
