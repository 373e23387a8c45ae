import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { HttpRefusal } from "../../../http/refusal";
import { single } from "../../../kernel/schema";
import type { Services } from "../../../services";
import { getCustomersInvoice, getInvoicedCustomer, linesByInvoice } from "../operations";
import { explainOperations as operations } from "./openapi";
import { LineExplanation, LinePath } from "./schema";
import { viewExplanation } from "./view";

export const explainRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers/:id/invoices/:invoiceRef/lines", tags: ["Invoices"], normalize: false })
		.use(identity(services))
		.get(
			"/:line/explain",
			({ read, params: { id, invoiceRef, line: number } }) =>
				read((work) => {
					const invoice = getCustomersInvoice(work, getInvoicedCustomer(work, id), invoiceRef);
					const lines = linesByInvoice(work, [invoice]).get(invoice.id) ?? [];
					const line = lines[Number(number) - 1];
					if (!line)
						throw new HttpRefusal(
							404,
							`${invoice.number} has no line ${number}; ${lines.length === 0 ? "it has none" : `its lines are 1 to ${lines.length}`}.`,
						);
					return { data: viewExplanation(invoice, line) };
				}),
			{
				detail: operations.explain,
				permit: "INVOICE:READ",
				params: LinePath,
				response: single(LineExplanation),
			},
		);
