import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { mandateOperations as operations } from "./openapi";
import { listCreditors, setCreditor } from "./operations.creditors";
import { createMandate, getMandate, listMandates, revokeMandate } from "./operations.mandates";
import { mandatesShown, viewCreditor, viewMandate } from "./operations.view";
import {
	CreditorPath,
	CreditorSettings,
	DirectDebitCreditor,
	Mandate,
	MandateCreate,
	MandateListQuery,
	MandatePath,
} from "./schema";

const ofMandate = { params: MandatePath, response: single(Mandate) } as const;

/** The routes of creditors and of mandates. */
export const mandateRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1", tags: ["Direct debit"], normalize: false })
		.use(identity(services))
		.get(
			"/direct-debit-creditors",
			({ read }) =>
				read((work) => ({
					data: listCreditors(work).map((row) => viewCreditor(work, row)),
					pagination: { next: null, prev: null },
				})),
			{ detail: operations.listCreditors, permit: "INVOICE:READ", response: listOf(DirectDebitCreditor) },
		)
		.put(
			"/direct-debit-creditors/:legalEntityId",
			({ write, params: { legalEntityId }, body }) =>
				write((work) => ({ data: viewCreditor(work, setCreditor(work, legalEntityId, body)) })),
			{
				...{ detail: operations.setCreditor, permit: "INVOICE:WRITE", params: CreditorPath },
				...{ body: CreditorSettings, response: single(DirectDebitCreditor) },
			},
		)
		.get(
			"/mandates",
			({ read, query }) =>
				read((work) => {
					const page = listMandates(work, query);
					return viewPage(page, mandatesShown(work, page.rows));
				}),
			{ detail: operations.list, permit: "INVOICE:READ", query: MandateListQuery, response: listOf(Mandate) },
		)
		.post(
			"/mandates",
			({ create, body }) => create((work) => ({ data: viewMandate(work, createMandate(work, body)) })),
			{
				...{ detail: operations.create, permit: "INVOICE:WRITE", body: MandateCreate },
				response: { 201: single(Mandate) },
			},
		)
		.get(
			"/mandates/:mandateId",
			({ read, params: { mandateId } }) => read((work) => ({ data: viewMandate(work, getMandate(work, mandateId)) })),
			{ ...ofMandate, detail: operations.retrieve, permit: "INVOICE:READ" },
		)
		.post(
			"/mandates/:mandateId/revoke",
			({ write, params: { mandateId } }) =>
				write((work) => ({ data: viewMandate(work, revokeMandate(work, mandateId)) })),
			{ ...ofMandate, detail: operations.revoke, permit: "INVOICE:WRITE" },
		);
