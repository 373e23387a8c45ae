import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { ReceiptPath } from "../receipts/schema";
import { answerDispute } from "./answer";
import { disputeOperations as operations } from "./openapi";
import { changeReported, getDispute, listDisputes, recordDispute } from "./operations";
import { Dispute, DisputeChange, DisputeEvidence, DisputeListQuery, DisputePath, DisputeReport } from "./schema";
import { viewDispute, viewDisputes } from "./view";

const permit = "INVOICE:WRITE";

export const disputeRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1", tags: ["Payments"], normalize: false })
		.use(identity(services))
		.post(
			"/receipts/:receiptId/disputes",
			({ create, params: { receiptId }, body }) =>
				create((work) => ({ data: viewDispute(work, recordDispute(work, receiptId, body)) })),
			{
				...{ detail: operations.record, permit, params: ReceiptPath, body: DisputeReport },
				response: { 201: single(Dispute) },
			},
		)
		.get(
			"/disputes",
			({ read, query }) =>
				read((work) => {
					const page = listDisputes(work, query);
					const shown = new Map(viewDisputes(work, page.rows).map((view) => [view.disputeId, view]));
					return viewPage(page, ({ id }) => shown.get(id) as Dispute);
				}),
			{ detail: operations.list, permit: "INVOICE:READ", query: DisputeListQuery, response: listOf(Dispute) },
		)
		.get(
			"/disputes/:disputeId",
			({ read, params: { disputeId } }) => read((work) => ({ data: viewDispute(work, getDispute(work, disputeId)) })),
			{ detail: operations.retrieve, permit: "INVOICE:READ", params: DisputePath, response: single(Dispute) },
		)
		.post(
			"/disputes/:disputeId/state",
			({ write, params: { disputeId }, body }) =>
				write((work) => ({ data: viewDispute(work, changeReported(work, disputeId, body)) })),
			{ detail: operations.change, permit, params: DisputePath, body: DisputeChange, response: single(Dispute) },
		)
		.post(
			"/disputes/:disputeId/evidence",
			({ actor, cause, once, params: { disputeId }, body: { evidence } }) =>
				once(async () => ({
					data: await answerDispute(services, actor, cause(), disputeId, { kind: "SEND_EVIDENCE", evidence }),
				})),
			{
				...{ detail: operations.sendEvidence, permit: { scope: permit, takesLong: true } },
				...{ params: DisputePath, body: DisputeEvidence, response: single(Dispute) },
			},
		)
		.post(
			"/disputes/:disputeId/accept",
			({ actor, cause, once, params: { disputeId } }) =>
				once(async () => ({
					data: await answerDispute(services, actor, cause(), disputeId, { kind: "ACCEPT_DISPUTE", evidence: {} }),
				})),
			{
				...{ detail: operations.accept, permit: { scope: permit, takesLong: true } },
				...{ params: DisputePath, response: single(Dispute) },
			},
		);
