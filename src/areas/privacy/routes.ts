import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { streamHeaders } from "../../http/responses/streams";
import { streamOfTexts } from "../../http/responses/text-stream";
import { viewPage } from "../../kernel/page";
import { CustomerRefId, listOf, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { getCustomer } from "../customers/operations";
import { privacyOperations as operations } from "./openapi";
import { eraseCustomer, listErasures, previewErasure } from "./operations.erase";
import { exportCustomer } from "./operations.export";
import { EraseQuery, Erasure, ErasureListQuery, ErasurePreview } from "./schema";
import { viewErasure } from "./view";

const params = Type.Object({ id: CustomerRefId });

/** Routes for the rights of data subjects: export and erasure. */
export const privacyRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers/:id", tags: ["Customers"], normalize: false })
		.use(identity(services))
		.get(
			"/export",
			({ actor, params: { id } }) => {
				const { transactions, eventIds, streams } = services;
				const exporting = { transactions, actor, eventIds };
				transactions.read(actor, (work) => void getCustomer(work, id));
				return new Response(streamOfTexts(exportCustomer(exporting, id), streams, actor), {
					headers: streamHeaders("application/x-ndjson"),
				});
			},
			{ detail: operations.export, permit: "CUSTOMER:READ", params },
		)
		.post(
			"/erase",
			async ({ read, write, params: { id }, query: { dryRun } }) =>
				// A dry run uses a transaction that cannot write.
				dryRun === "true"
					? read((work) => ({ data: previewErasure(work, id) }))
					: write((work) => ({ data: viewErasure(work, eraseCustomer(work, id)) })),
			{
				detail: operations.erase,
				permit: { scope: "CUSTOMER:WRITE", onlyReadsWith: "dryRun=true" },
				params,
				query: EraseQuery,
				body: Type.Union([Type.Object({}, { additionalProperties: false }), Type.Undefined()]),
				response: single(Type.Union([Erasure, ErasurePreview])),
			},
		)
		.get(
			"/erasures",
			({ read, params: { id }, query }) =>
				read((work) => viewPage(listErasures(work, id, query), (erasure) => viewErasure(work, erasure))),
			{
				detail: operations.listErasures,
				permit: "CUSTOMER:READ",
				params,
				query: ErasureListQuery,
				response: listOf(Erasure),
			},
		);
