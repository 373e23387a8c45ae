import { HttpRefusal } from "../../../http/refusal";
import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { findCustomer } from "../../customers/operations";
import type { RefundAnswer, RefundOrder } from "../providers/provider";
import { refundChanged } from "./events";
import {
	applyRefundOutcome,
	beforeSending,
	nextRefundStep,
	type RefundOutcome,
	type RefundProgress,
	type RefundStep,
	refundDueAfter,
	refundKeyOf,
} from "./rules";
import type { RefundCreate, RefundListQuery } from "./schema";
import { insertRefund, listDueRefunds, pageRefunds, saveRefund, selectRefunds } from "./store";
import type { ProviderRefundRow } from "./table";

export { listDueRefunds, selectRefunds };

/** Returns the refund with that id. The catalogue of errors has no code for an unknown one. */
export function getRefund(work: Work, id: string): ProviderRefundRow {
	const [refund] = selectRefunds(work, [id]);
	if (!refund) throw new HttpRefusal(404, `There is no refund '${id}' in this environment.`);
	return refund;
}

/** Returns the refund that a provider's refund belongs to: our reference names it. */
export function findRefundOf(
	work: Work,
	connectionId: string,
	{ ref, ours }: Pick<RefundAnswer, "ref" | "ours">,
): ProviderRefundRow | undefined {
	const [refund] = ours === null ? [] : selectRefunds(work, [ours]);
	return refund?.connectionId === connectionId && (refund.ref ?? ref) === ref ? refund : undefined;
}

/** Lists refunds, newest first. Throws CustomerNotFound. */
export function listRefunds(work: Work, query: RefundListQuery): Page<ProviderRefundRow> {
	const { customerId } = query;
	const customer = customerId === undefined ? undefined : findCustomer(work, customerId);
	if (customerId !== undefined && !customer)
		throw fail("CustomerNotFound", `There is no customer '${customerId}' in this environment.`);
	return pageRefunds(work, query, customer?.id);
}

/** Takes the money of a receipt and plans its refund. A later area has the receipts. */
export type RefundAtProvider = (work: Work, input: RefundCreate) => ProviderRefundRow;

/** A refund whose money is in a receipt of kind REFUND already. */
export type PlannedRefund = Pick<
	ProviderRefundRow,
	| "id"
	| "customerId"
	| "connectionId"
	| "receiptId"
	| "refundReceiptId"
	| "paymentRef"
	| "currency"
	| "amount"
	| "isWhole"
	| "reason"
>;

/** Plans a refund in the caller's transaction, and wakes the collector. */
export function planRefund(work: Work, planned: PlannedRefund): ProviderRefundRow {
	const refund = insertRefund(work, {
		...{ ...planned, returnedReceiptIds: [], state: "PLANNED", ref: null, pending: false, failure: null },
		...{ keyNumber: 1, keySince: null, startedAt: work.machineNow, dueAt: work.machineNow, endedAt: null },
	});
	refundChanged(work, refund);
	work.wake("collector");
	return refund;
}

/** A call that the collector makes for a refund. */
export interface RefundCall {
	readonly step: RefundStep;
	readonly key: string;
	readonly ref: string | null;
	readonly order: RefundOrder;
}

/** Writes the row before the next call of a refund, and returns the call; null if none is due. */
export function beginRefundStep(
	work: Work,
	{ refundId, keyHours }: { readonly refundId: string; readonly keyHours: number },
): RefundCall | null {
	const refund = getRefund(work, refundId);
	const step = refund.dueAt === null ? null : nextRefundStep(refund);
	if (step === null) return null;
	const begun =
		step === "SEND" ? saveRefund(work, refund, columnsOf(beforeSending(refund, keyHours, work.machineNow))) : refund;
	const { id, paymentRef, amount, currency, isWhole: whole, reason, ref } = begun;
	return {
		...{ step, ref, key: refundKeyOf(id, begun) },
		order: { ours: id, paymentRef, money: { amount, currency }, whole, reason },
	};
}

const columnsOf = ({ state, ref, pending, keyNumber, keySince, failure }: RefundProgress) => ({
	...{ state, ref, pending, keyNumber, keySince, failure },
});

/** Records the money that came back because a refund failed. Returns the row ids of its receipts. A later area has them. */
export type UndoRefund = (work: Work, refund: ProviderRefundRow) => string[];

/** The outcome of a step of a refund. */
export interface RefundReport {
	readonly refundId: string;
	readonly step: RefundStep;
	readonly outcome: RefundOutcome;
}

/** Applies the outcome of a call. The money of a failed refund is recorded once. */
export function applyRefundStep(work: Work, { refundId, step, outcome }: RefundReport, undo: UndoRefund): null {
	const refund = getRefund(work, refundId);
	const applied = applyRefundOutcome(refund, step, outcome);
	const hasMoved = applied.state !== refund.state;
	const isEnd = applied.state === "SUCCEEDED" || applied.state === "FAILED";
	const changed = saveRefund(work, refund, {
		...columnsOf(applied),
		dueAt: refundDueAfter(refund, applied, work.machineNow),
		...(hasMoved && isEnd && { endedAt: work.now }),
	});
	const ended =
		hasMoved && changed.state === "FAILED"
			? saveRefund(work, changed, { returnedReceiptIds: undo(work, changed) })
			: changed;
	if (hasMoved && isEnd) refundChanged(work, ended);
	return null;
}

/** Returns in how many milliseconds a refund is due; undefined if none is. */
export const msUntilRefund = (work: Work): number | undefined => {
	const [first] = listDueRefunds(work, 1);
	return first?.dueAt == null ? undefined : Math.max(0, first.dueAt - work.machineNow);
};
