import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { customerOperations as operations } from "./openapi";
import { getCustomer } from "./operations";
import { updateInvoicing } from "./operations.invoicing";
import { CustomerPath } from "./schema";
import { CustomerInvoicing, CustomerInvoicingUpdate } from "./schema.invoicing";
import { viewInvoicing } from "./view";

const params = CustomerPath;
const response = single(CustomerInvoicing);

export const customerInvoicingRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers/:id/invoicing", tags: ["Customers"], normalize: false })
		.use(identity(services))
		.get("", ({ read, params: { id } }) => read((work) => ({ data: viewInvoicing(getCustomer(work, id)) })), {
			detail: operations.invoicing.retrieve,
			permit: "CUSTOMER:READ",
			params,
			response,
		})
		.patch(
			"",
			({ write, params: { id }, body }) => write((work) => ({ data: viewInvoicing(updateInvoicing(work, id, body)) })),
			{
				detail: operations.invoicing.update,
				permit: { scope: "CUSTOMER:WRITE", limitedBy: "customer" },
				params,
				body: CustomerInvoicingUpdate,
				response,
			},
		);
