import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { pdfResponse, pdfWaitLimits, pdfWaits } from "../../../http/responses/pdf";
import type { Services } from "../../../server/context";
import { stillComing } from "../../invoices/operations.pdf";
import { contractOperations as operations } from "../openapi";
import { ContractPath } from "../schema";
import { findOrderForm } from "./operations";

export const orderFormRoutes = (services: Services, waitLimits = pdfWaitLimits) => {
	const { transactions, stopping } = services;
	const wait = pdfWaits(waitLimits, stopping);
	return new Elysia({ prefix: "/api/v1/contracts", tags: ["Contracts"], normalize: false }).use(identity(services)).get(
		"/:id/pdf",
		async ({ actor, request, params: { id } }) => {
			const name = `order-form-${id}`;
			const bytes = transactions.read(actor, (work) => findOrderForm(work, id));
			if (bytes) return pdfResponse(name, bytes);
			const taskId = await services.write(actor, "renderOrderForm", { contractRef: id });
			const look = () =>
				transactions.read(actor, (work) => findOrderForm(work, id) ?? stillComing(work, `contract '${id}'`, taskId));
			return pdfResponse(name, await wait(`contract '${id}'`, look, request.signal));
		},
		{ detail: operations.retrieveOrderForm, permit: "CONTRACT:READ", params: ContractPath },
	);
};
