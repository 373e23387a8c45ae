import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { type OpenStreams, streamHeaders } from "../../http/responses/streams";
import { viewPage } from "../../kernel/page";
import { CustomerRefId, listOf, single } from "../../kernel/schema";
import type { Actor } from "../../kernel/work";
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
				return new Response(streamOf(exportCustomer(exporting, id), streams, actor), {
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

/** Returns the next part. An error ends the response. */
function nextOr(parts: Generator<string>, leave: () => void) {
	try {
		return parts.next();
	} catch (error) {
		leave();
		throw error;
	}
}

/**
 * Reads a part only after the client has taken the former one, so that memory is bounded and other requests are served
 * in between.
 */
function streamOf(parts: Generator<string>, streams: OpenStreams, actor: Actor): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	let isEnded = false;
	const leave = streams.add(actor, () => {
		isEnded = true;
	});
	return new ReadableStream<Uint8Array>(
		{
			pull: async (controller) => {
				for (;;) {
					await Bun.sleep(0);
					if (isEnded) {
						leave();
						controller.error(new Error("The server is stopping."));
						return;
					}
					const { value, done } = nextOr(parts, leave);
					if (done) {
						leave();
						controller.close();
						return;
					}
					if (value === "") continue;
					controller.enqueue(encoder.encode(value));
					return;
				}
			},
			cancel: () => {
				leave();
				parts.return(undefined);
			},
		},
		{ highWaterMark: 0 },
	);
}
