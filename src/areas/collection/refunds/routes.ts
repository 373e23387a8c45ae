import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { refundOperations as operations } from "./openapi";
import { getRefund, listRefunds, type RefundAtProvider } from "./operations";
import { ProviderRefund, RefundCreate, RefundListQuery, RefundPath } from "./schema";
import { refundsShown, viewRefund } from "./view";

const response = single(ProviderRefund);

/** Routes of refunds through providers. */
export const refundRoutes = (services: Services, refundAtProvider: RefundAtProvider) =>
	new Elysia({ prefix: "/api/v1/refunds", tags: ["Charging"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listRefunds(work, query);
					return viewPage(page, refundsShown(work, page.rows));
				}),
			{ detail: operations.list, permit: "INVOICE:READ", query: RefundListQuery, response: listOf(ProviderRefund) },
		)
		.post("", ({ create, body }) => create((work) => ({ data: viewRefund(work, refundAtProvider(work, body)) })), {
			...{ detail: operations.create, permit: "INVOICE:WRITE", body: RefundCreate, response: { 201: response } },
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => ({ data: viewRefund(work, getRefund(work, id)) })), {
			...{ detail: operations.retrieve, permit: "INVOICE:READ", params: RefundPath, response },
		});
