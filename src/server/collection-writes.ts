import { applyStep, beginStep, type StepReport } from "../areas/collection/attempts/operations.steps";
import { changeConnection } from "../areas/collection/connections/operations";
import { keepDisputeProblem } from "../areas/collection/disputes/operations";
import { endEvents, keepEvent } from "../areas/collection/events/operations";
import { planAttachment } from "../areas/collection/methods/operations";
import { applyDetachment } from "../areas/collection/methods/operations.choose";
import { endProviderCall } from "../areas/collection/operations.calls";
import { applyPageLook, planPage } from "../areas/collection/pages/operations";
import { applyRefundStep, beginRefundStep, type RefundReport } from "../areas/collection/refunds/operations";
import { applyProviderDispute, planDisputeCall } from "../areas/invoices/disputes/operations.provider";
import { settleAttempt } from "../areas/subscriptions/lifecycle/operations.charge";
import { undoRefund } from "../areas/subscriptions/lifecycle/operations.refund";
import type { Work } from "../kernel/work";

/** The writes by name of payments (writer-calls.ts). */
export const collectionWrites = {
	changeProviderConnection: changeConnection,
	endProviderCall: (work: Work, ended: Parameters<typeof endProviderCall>[1]) =>
		endProviderCall(work, ended, applyProviderDispute),
	planDisputeCall,
	applyProviderDispute,
	beginRefundStep,
	applyRefundStep: (work: Work, report: RefundReport) => applyRefundStep(work, report, undoRefund),
	keepDisputeProblem,
	planMethodPage: planPage,
	planMethodAttachment: planAttachment,
	applyPageLook,
	applyMethodDetachment: applyDetachment,
	beginAttemptStep: beginStep,
	keepProviderEvent: keepEvent,
	endProviderEvents: endEvents,
	applyAttemptStep: (work: Work, report: StepReport) => applyStep(work, report, settleAttempt),
};
