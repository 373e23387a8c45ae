import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { collectionOperations as operations } from "./openapi";
import { resumeCase, startCase, stopCase, suspendCase } from "./operations";
import { collectionOf, getCollectedInvoice, listCases, listMails } from "./operations.collection";
import {
	Collection,
	CollectionNote,
	CollectionPath,
	CollectionStart,
	CollectionSuspend,
	DunningCase,
	DunningCaseListQuery,
	DunningMail,
	DunningMailListQuery,
	InvoiceCollection,
	InvoiceCollectionPath,
} from "./schema";
import { changedCollection, viewCases, viewCollection, viewInvoiceCollection, viewMails } from "./view";

/** Returns the views of a page's rows by position, built at once. */
function inOrder<Row extends { readonly id: string }, View>(rows: readonly Row[], views: readonly View[]) {
	const byId = new Map(rows.map((row, at) => [row.id, views[at]]));
	return ({ id }: Row): View => {
		const view = byId.get(id);
		if (view === undefined) throw new Error("Assertion failed: each row has a view");
		return view;
	};
}

const write = { permit: "INVOICE:WRITE", params: InvoiceCollectionPath, response: single(InvoiceCollection) } as const;

export const dunningCaseRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/dunning-cases", tags: ["Dunning"], normalize: false }).use(identity(services)).get(
		"",
		({ read, query }) =>
			read((work) => {
				const page = listCases(work, query);
				return viewPage(page, inOrder(page.rows, viewCases(work, page.rows)));
			}),
		{
			...{ detail: operations.cases, permit: "INVOICE:READ", query: DunningCaseListQuery },
			response: listOf(DunningCase),
		},
	);

export const collectionRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers/:id", tags: ["Dunning"], normalize: false })
		.use(identity(services))
		.get(
			"/collection",
			({ read, params: { id } }) => read((work) => ({ data: viewCollection(work, collectionOf(work, id)) })),
			{
				...{ detail: operations.customer, permit: "INVOICE:READ", params: CollectionPath },
				response: single(Collection),
			},
		)
		.get(
			"/reminders",
			({ read, params: { id }, query }) =>
				read((work) => {
					const page = listMails(work, id, query);
					return viewPage(page, inOrder(page.rows, viewMails(work, page.rows)));
				}),
			{
				...{ detail: operations.reminders, permit: "INVOICE:READ", params: CollectionPath },
				...{ query: DunningMailListQuery, response: listOf(DunningMail) },
			},
		)
		.get(
			"/invoices/:invoiceRef/collection",
			({ read, params: { id, invoiceRef } }) =>
				read((work) => ({ data: viewInvoiceCollection(work, getCollectedInvoice(work, id, invoiceRef)) })),
			{
				...{ detail: operations.invoice, permit: "INVOICE:READ", params: InvoiceCollectionPath },
				response: single(InvoiceCollection),
			},
		)
		.post(
			"/invoices/:invoiceRef/collection/start",
			({ write, params, body = {} }) =>
				write((work) => ({ data: changedCollection(work, params, (invoice) => startCase(work, invoice, body)) })),
			{ detail: operations.start, ...write, body: Type.Union([CollectionStart, Type.Undefined()]) },
		)
		.post(
			"/invoices/:invoiceRef/collection/suspend",
			({ write, params, body }) =>
				write((work) => ({ data: changedCollection(work, params, (invoice) => suspendCase(work, invoice, body)) })),
			{ detail: operations.suspend, ...write, body: CollectionSuspend },
		)
		.post(
			"/invoices/:invoiceRef/collection/resume",
			({ write, params }) =>
				write((work) => ({ data: changedCollection(work, params, (invoice) => resumeCase(work, invoice)) })),
			{ detail: operations.resume, ...write },
		)
		.post(
			"/invoices/:invoiceRef/collection/stop",
			({ write, params, body = {} }) =>
				write((work) => ({ data: changedCollection(work, params, (invoice) => stopCase(work, invoice, body.note)) })),
			{ detail: operations.stop, ...write, body: Type.Union([CollectionNote, Type.Undefined()]) },
		);
