import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { type OpenStreams, streamHeaders } from "../../http/responses/streams";
import { viewPage } from "../../kernel/page";
import { listOf } from "../../kernel/schema";
import type { Actor, Transactions } from "../../kernel/work";
import type { Services } from "../../server/context";
import { auditOperations as operations } from "./openapi";
import { listEntries } from "./operations";
import { exportLines } from "./operations.export";
import { AuditEntry, type AuditLogFilter, AuditLogQuery } from "./schema";
import { viewEntry } from "./view";

/** Entries that are read at once: about a megabyte. */
const exportedAtOnce = 100;

/** An addition to the interface. */
export const auditRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/audit-log", tags: ["Audit log"], normalize: false }).use(identity(services)).get(
		"",
		({ read, actor, query, request }) => {
			if (!request.headers.get("accept")?.includes("application/x-ndjson"))
				return read((work) => viewPage(listEntries(work, query), viewEntry));
			return new Response(linesOf(services, actor, query), { headers: streamHeaders("application/x-ndjson") });
		},
		{
			detail: operations.list,
			permit: { scope: "AUDIT_LOG:READ", takesLong: true },
			query: AuditLogQuery,
			response: listOf(AuditEntry),
		},
	);

interface Exporting {
	readonly transactions: Transactions;
	readonly streams: OpenStreams;
}

/**
 * Reads the log while the client takes it, so that only the current part is in memory. Entries that are written in the
 * meantime appear at the end.
 */
function linesOf(
	{ transactions, streams }: Exporting,
	actor: Actor,
	{ after, ...query }: AuditLogFilter & { readonly after?: string },
): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	let leave = (): void => {};
	const piece = (afterId: string | undefined) => {
		try {
			return transactions.read(actor, (work) => exportLines(work, query, afterId, exportedAtOnce));
		} catch (error) {
			leave();
			throw error;
		}
	};
	// Errors are thrown before the response begins.
	let ahead: ReturnType<typeof piece> | undefined = piece(after);
	return new ReadableStream<Uint8Array>(
		{
			start: (controller) => {
				leave = streams.add(actor, () => {
					leave();
					controller.error(new Error("the server is stopping"));
				});
			},
			pull: (controller) => {
				while (ahead) {
					const { text, next } = ahead;
					if (text !== "") controller.enqueue(encoder.encode(text));
					ahead = next === undefined ? undefined : piece(next);
					if (text !== "") return;
				}
				leave();
				controller.close();
			},
			cancel: () => leave(),
		},
		{ highWaterMark: 1 },
	);
}
