import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { pdfResponse, pdfWaitLimits, pdfWaits } from "../../../http/responses/pdf";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { stillComing } from "../operations.pdf";
import { receiptNumber } from "../rules";
import type { ReceiptRow } from "../table.receipts";
import { receiptOperations as operations } from "./openapi";
import {
	allocateReported,
	getReceiptOf,
	listReceipts,
	type ReceiptOperations,
	recordReported,
	refundReported,
	returnReported,
	reverseReported,
} from "./operations";
import { findReceiptPdf } from "./operations.pdf";
import {
	AllocationReversal,
	Receipt,
	ReceiptAllocation,
	ReceiptAllocationPath,
	ReceiptDetail,
	ReceiptListQuery,
	ReceiptPath,
	ReceiptRefund,
	ReceiptReport,
	ReceiptReturn,
} from "./schema";
import { receiptsShown, viewReceiptDetail } from "./view";

const shown = (work: Work, receipt: ReceiptRow) => ({ data: viewReceiptDetail(work, receipt) });

const response = { 201: single(ReceiptDetail) };

export const receiptRoutes = (services: Services, taking: ReceiptOperations, waitLimits = pdfWaitLimits) => {
	const { transactions, stopping } = services;
	const wait = pdfWaits(waitLimits, stopping);
	return new Elysia({ prefix: "/api/v1/receipts", tags: ["Payments"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listReceipts(work, query);
					return viewPage(page, receiptsShown(work, page.rows));
				}),
			{ detail: operations.list, permit: "INVOICE:READ", query: ReceiptListQuery, response: listOf(Receipt) },
		)
		.post("", ({ create, body }) => create((work) => shown(work, recordReported(work, body, taking))), {
			...{ detail: operations.record, permit: "INVOICE:WRITE", body: ReceiptReport, response },
		})
		.get(
			"/:receiptId",
			({ read, params: { receiptId } }) => read((work) => shown(work, getReceiptOf(work, receiptId))),
			{
				detail: operations.retrieve,
				permit: "INVOICE:READ",
				params: ReceiptPath,
				response: single(ReceiptDetail),
			},
		)
		.get(
			"/:receiptId/pdf",
			async ({ actor, request, params: { receiptId } }) => {
				const find = (work: Work) => {
					const receipt = getReceiptOf(work, receiptId);
					return { number: receiptNumber(receipt), bytes: findReceiptPdf(work, receipt) };
				};
				const { number, bytes } = transactions.read(actor, find);
				if (bytes) return pdfResponse(number, bytes);
				const taskId = await services.write(actor, "renderReceipt", { receiptId });
				const look = () => transactions.read(actor, (work) => find(work).bytes ?? stillComing(work, number, taskId));
				return pdfResponse(number, await wait(number, look, request.signal));
			},
			{ detail: operations.retrievePdf, permit: "INVOICE:READ", params: ReceiptPath },
		)
		.post(
			"/:receiptId/allocations",
			({ create, params: { receiptId }, body }) =>
				create((work) => shown(work, allocateReported(work, receiptId, body, taking))),
			{
				detail: operations.allocate,
				permit: "INVOICE:WRITE",
				params: ReceiptPath,
				body: ReceiptAllocation,
				response,
			},
		)
		.post(
			"/:receiptId/allocations/:allocationId/reverse",
			({ create, params, body }) => create((work) => shown(work, reverseReported(work, params, body))),
			{
				detail: operations.reverseAllocation,
				permit: "INVOICE:WRITE",
				params: ReceiptAllocationPath,
				body: AllocationReversal,
				response,
			},
		)
		.post(
			"/:receiptId/refunds",
			({ create, params: { receiptId }, body }) => create((work) => shown(work, refundReported(work, receiptId, body))),
			{ detail: operations.refund, permit: "INVOICE:WRITE", params: ReceiptPath, body: ReceiptRefund, response },
		)
		.post(
			"/:receiptId/return",
			({ create, params: { receiptId }, body }) => create((work) => shown(work, returnReported(work, receiptId, body))),
			{ detail: operations.return, permit: "INVOICE:WRITE", params: ReceiptPath, body: ReceiptReturn, response },
		);
};
