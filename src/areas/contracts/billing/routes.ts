import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { CreditNote } from "../../invoices/credit-notes/schema";
import { shown } from "../details";
import { contractOperations as operations } from "../openapi";
import { getBillingSummary, getItems } from "../operations.billing";
import { ContractPath, NoBody, NoQuery } from "../schema";
import { Contract, ContractTotals } from "../schema.shown";
import { viewTotals } from "../view";
import { discardAmendment, openAmendment } from "./amendments/operations";
import { listContractCreditNotes } from "./operations.credit-notes";
import { previewNextInvoice } from "./operations.next-invoice";
import { previewPublication, publishContract } from "./operations.publish";
import { getInvoiceSchedule } from "./operations.schedule";
import { cancelBilling, reopenBilling } from "./operations.state";
import { readUsage } from "./operations.usage";
import {
	ContractItems,
	ContractPublication,
	ContractUsage,
	CreditNotesQuery,
	EditActive,
	InvoiceSchedule,
	NextInvoice,
	PublishQuery,
	ScheduleQuery,
} from "./schema";
import { viewItems, viewPlanned, viewPublication, viewSchedule, viewUsage } from "./view";

/** Routes of a contract's billing half: totals, invoices and states. */
export const contractBillingRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/contracts", tags: ["Contracts"], normalize: false })
		.use(identity(services))
		.get(
			"/:id/billing/summary",
			({ read, params }) => read((work) => ({ data: viewTotals(getBillingSummary(work, params.id)) })),
			{
				detail: operations.retrieveSummary,
				permit: "CONTRACT:READ",
				params: ContractPath,
				response: single(ContractTotals),
			},
		)
		.get("/:id/billing/items", ({ read, params }) => read((work) => ({ data: viewItems(getItems(work, params.id)) })), {
			detail: operations.retrieveItems,
			permit: "CONTRACT:READ",
			params: ContractPath,
			query: NoQuery,
			response: single(ContractItems),
		})
		.get(
			"/:id/billing/invoice-schedule",

			({ read, params, query: { count } }) =>
				read((work) => ({
					data: viewSchedule(getInvoiceSchedule(work, params.id, count === undefined ? undefined : Number(count))),
				})),
			{
				detail: operations.retrieveInvoiceSchedule,
				permit: "CONTRACT:READ",
				params: ContractPath,
				query: ScheduleQuery,
				response: single(InvoiceSchedule),
			},
		)
		.post(
			"/:id/billing/publish",
			({ write, params: { id }, query: { dryRun } }) =>
				write((work) => ({
					data:
						dryRun === "true" ? viewPublication(previewPublication(work, id)) : shown(work, publishContract(work, id)),
				})),
			{
				detail: operations.publish,
				permit: "CONTRACT:WRITE",
				params: ContractPath,
				query: PublishQuery,
				body: NoBody,
				response: single(Type.Union([Contract, ContractPublication])),
			},
		)
		.post(
			"/:id/billing/edit-active",
			({ write, params, body }) => write((work) => ({ data: shown(work, openAmendment(work, params.id, body ?? {})) })),
			{
				detail: operations.editActive,
				permit: "CONTRACT:WRITE",
				params: ContractPath,
				body: Type.Union([EditActive, Type.Undefined()]),
				response: single(Contract),
			},
		)
		.delete(
			"/:id/billing/edit-active",
			({ write, params }) => write((work) => ({ data: shown(work, discardAmendment(work, params.id)) })),
			{
				detail: operations.discardAmendment,
				permit: "CONTRACT:WRITE",
				params: ContractPath,
				response: single(Contract),
			},
		)
		.get(
			"/:id/billing/credit-notes",
			({ read, params, query }) =>
				read((work) => viewPage(listContractCreditNotes(work, params.id, query), (note) => note)),
			{
				detail: operations.listCreditNotes,
				permit: "CONTRACT:READ",
				params: ContractPath,
				query: CreditNotesQuery,
				response: listOf(CreditNote),
			},
		)
		.post(
			"/:id/billing/reopen",
			({ write, params }) => write((work) => ({ data: shown(work, reopenBilling(work, params.id)) })),
			{
				detail: operations.reopenBilling,
				permit: "CONTRACT:WRITE",
				params: ContractPath,
				body: NoBody,
				response: single(Contract),
			},
		)
		.post(
			"/:id/billing/cancel",
			({ write, params }) => write((work) => ({ data: shown(work, cancelBilling(work, params.id)) })),
			{
				detail: operations.cancelBilling,
				permit: "CONTRACT:WRITE",
				params: ContractPath,
				body: NoBody,
				response: single(Contract),
			},
		)
		.get(
			"/:id/billing/next-invoice",
			({ read, params }) =>
				read((work) => {
					const next = previewNextInvoice(work, params.id);
					return { data: next ? viewPlanned(next, "SCHEDULED") : null };
				}),
			{
				detail: operations.previewNextInvoice,
				permit: "CONTRACT:READ",
				params: ContractPath,
				response: single(NextInvoice),
			},
		)
		.post(
			"/:id/usage/refresh",
			({ write, params }) => write((work) => ({ data: viewUsage(readUsage(work, params.id)) })),
			{
				detail: operations.refreshUsage,
				permit: "CONTRACT:WRITE",
				params: ContractPath,
				body: NoBody,
				response: single(ContractUsage),
			},
		);
