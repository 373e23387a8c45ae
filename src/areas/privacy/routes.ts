import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { CustomerRefId, listOf, single } from "../../kernel/schema";
import type { Services } from "../../services";
import { getCustomer } from "../customers/operations";
import { privacyOperations as operations } from "./openapi";
import { eraseCustomer, listErasures, previewErasure } from "./operations.erase";
import { exportCustomer } from "./operations.export";
import { EraseQuery, Erasure, ErasureListQuery, ErasurePreview } from "./schema";
import { viewErasure } from "./view";

const params = Type.Object({ id: CustomerRefId });

/** What those may ask for whose data is held. */
export const privacyRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers/:id", tags: ["Customers"], normalize: false })
		.use(identity(services))
		.get(
			"/export",
			({ actor, params: { id } }) => {
				const { transactions, eventIds, stopping } = services;
				const exporting = { transactions, actor, eventIds };
				transactions.read(actor, (work) => void getCustomer(work, id));
				return new Response(streamOf(exportCustomer(exporting, id), stopping), {
					headers: { "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store" },
				});
			},
			{ detail: operations.export, permit: "CUSTOMER:READ", params },
		)
		.post(
			"/erase",
			async ({ read, write, params: { id }, query: { dryRun } }) =>
				// A trial run goes through a transaction that cannot write.
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

/** A part is read when the one before was taken, so that no more than that is in memory; others are served in between. */
function streamOf(parts: Generator<string>, stopping: AbortSignal): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	return new ReadableStream<Uint8Array>(
		{
			pull: async (controller) => {
				for (;;) {
					await Bun.sleep(0);
					if (stopping.aborted) {
						controller.error(new Error("The server is stopping."));
						return;
					}
					const { value, done } = parts.next();
					if (done) {
						controller.close();
						return;
					}
					if (value === "") continue;
					controller.enqueue(encoder.encode(value));
					return;
				}
			},
			cancel: () => void parts.return(undefined),
		},
		{ highWaterMark: 0 },
	);
}
