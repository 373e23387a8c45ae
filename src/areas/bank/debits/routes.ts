import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { streamOfTexts } from "../../../http/responses/text-stream";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { cancelDebit, getDebit, listDebits } from "../../direct-debit/operations";
import { debitsShown, viewDebit, viewFile } from "../../direct-debit/operations.view";
import {
	DebitCreate,
	DebitFileCreate,
	DebitFileListQuery,
	DebitFilePath,
	DebitFileSettlement,
	DebitListQuery,
	DebitPath,
	DebitReturn,
	DirectDebit,
	DirectDebitFile,
} from "../../direct-debit/schema";
import type { DebitRow } from "../../direct-debit/table";
import { debitOperations as operations } from "./openapi";
import { createDebit, returnReported } from "./operations";
import { assertReady, createFile, getFile, listFiles, settleFile, textOf } from "./operations.files";

const shown = (work: Work, row: DebitRow) => ({ data: viewDebit(work, row) });

const ofDebit = { params: DebitPath, response: single(DirectDebit) } as const;
const ofFile = { params: DebitFilePath, response: single(DirectDebitFile) } as const;

/** The routes of direct debits. */
export const debitRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/direct-debits", tags: ["Direct debit"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listDebits(work, query);
					return viewPage(page, debitsShown(work, page.rows));
				}),
			{ detail: operations.list, permit: "INVOICE:READ", query: DebitListQuery, response: listOf(DirectDebit) },
		)
		.post("", ({ create, body }) => create((work) => shown(work, createDebit(work, body))), {
			...{ detail: operations.create, permit: "INVOICE:WRITE", body: DebitCreate },
			response: { 201: single(DirectDebit) },
		})
		.get("/:debitId", ({ read, params: { debitId } }) => read((work) => shown(work, getDebit(work, debitId))), {
			...{ ...ofDebit, detail: operations.retrieve, permit: "INVOICE:READ" },
		})
		.post(
			"/:debitId/cancel",
			({ write, params: { debitId } }) => write((work) => shown(work, cancelDebit(work, debitId))),
			{ ...ofDebit, detail: operations.cancel, permit: "INVOICE:WRITE" },
		)
		.post(
			"/:debitId/return",
			({ write, params: { debitId }, body }) => write((work) => shown(work, returnReported(work, debitId, body))),
			{ ...ofDebit, detail: operations.return, permit: "INVOICE:WRITE", body: DebitReturn },
		);

/** The routes of the files of direct debits. */
export const debitFileRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/direct-debit-files", tags: ["Direct debit"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listFiles(work, query), viewFile)), {
			...{ detail: operations.listFiles, permit: "INVOICE:READ" },
			...{ query: DebitFileListQuery, response: listOf(DirectDebitFile) },
		})
		.post("", ({ create, body }) => create((work) => ({ data: viewFile(createFile(work, body)) })), {
			...{ detail: operations.createFile, permit: "INVOICE:WRITE", body: DebitFileCreate },
			response: { 201: single(DirectDebitFile) },
		})
		.get("/:fileId", ({ read, params: { fileId } }) => read((work) => ({ data: viewFile(getFile(work, fileId)) })), {
			...{ ...ofFile, detail: operations.retrieveFile, permit: "INVOICE:READ" },
		})
		.get(
			"/:fileId/document",
			({ actor, params: { fileId } }) => {
				const { transactions, streams } = services;
				const file = transactions.read(actor, (work) => {
					const found = getFile(work, fileId);
					assertReady(found);
					return found;
				});
				return new Response(streamOfTexts(textOf(transactions, actor, file), streams, actor), {
					headers: {
						"content-type": "application/xml; charset=utf-8",
						"content-disposition": `attachment; filename="direct-debits-${file.id}.xml"`,
						"cache-control": "no-store",
					},
				});
			},
			{ detail: operations.downloadFile, permit: "INVOICE:READ", params: DebitFilePath },
		)
		.post(
			"/:fileId/settle",
			({ write, params: { fileId }, body }) => write((work) => ({ data: viewFile(settleFile(work, fileId, body)) })),
			{ ...ofFile, detail: operations.settleFile, permit: "INVOICE:WRITE", body: DebitFileSettlement },
		);
