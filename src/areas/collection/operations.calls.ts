import type { Work } from "../../kernel/work";
import { getCustomerById } from "../customers/operations";
import { endCall, plannedOf } from "./calls/operations";
import type { CallOutcome } from "./calls/table";
import { applyVerification, type PlannedChange } from "./connections/operations";
import type { VerifiedAccount } from "./connections/rules";
import type { ApplyDispute, PlannedDisputeCall } from "./disputes/operations";
import { applyMethodLook, type PlannedMethod } from "./methods/operations";
import { type PlannedPage, storePage } from "./pages/operations";
import type { DisputeAnswer, OpenedPage, SavedMethod } from "./providers/provider";

/** The collector's report of a call: the provider's answer, or the refusal for the caller. */
export type CallReport =
	| { readonly kind: "VERIFIED"; readonly verified: VerifiedAccount }
	| { readonly kind: "OPENED"; readonly page: OpenedPage }
	| { readonly kind: "METHOD"; readonly method: SavedMethod | "NOT_FOUND" }
	| { readonly kind: "DISPUTE"; readonly answer: DisputeAnswer; readonly byChoice: boolean }
	| { readonly kind: "REFUSED"; readonly message: string };

/** Applies the report of a call that a caller waits for. */
export function endProviderCall(
	work: Work,
	{ callId, report }: { callId: string; report: CallReport },
	applyDispute: ApplyDispute,
): null {
	endCall(work, callId, (call): CallOutcome => {
		const { subjectId } = call;
		switch (report.kind) {
			case "REFUSED":
				return { isDone: false, code: "PaymentProviderError", message: report.message };
			case "OPENED":
				storePage(work, subjectId, plannedOf<PlannedPage>(call), report.page);
				return { isDone: true };
			case "METHOD":
				return applyMethodLook(work, getCustomerById(work, subjectId), plannedOf<PlannedMethod>(call), report.method);
			case "DISPUTE": {
				const { connectionId } = plannedOf<PlannedDisputeCall>(call);
				applyDispute(work, { connectionId, answer: report.answer, byChoice: report.byChoice });
				return { isDone: true };
			}
			case "VERIFIED":
				return applyVerification(work, plannedOf<PlannedChange>(call), report.verified);
		}
	});
	return null;
}
