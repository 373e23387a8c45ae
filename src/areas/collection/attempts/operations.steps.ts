import { toDecimal } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { methodsByIds } from "../methods/operations";
import type { AttemptOrder, Capabilities } from "../providers/provider";
import { attemptChanged } from "./events";
import { getAttempt } from "./operations";
import { applyOutcome, endUncalled, type Outcome } from "./rules.apply";
import { dueAfter, isActionOver } from "./rules.due";
import { isFinal } from "./rules.states";
import { beforeCall, keyOf, nextStep, type Step } from "./rules.steps";
import type { AttemptResolution } from "./schema";
import { invoicesOfAttempts, saveAttempt } from "./store";
import type { AttemptInvoiceRow, AttemptRow } from "./table";

type Can = Pick<Capabilities, "twoSteps" | "findByReference" | "keyHours">;

/** Records the money of an attempt, and pays its invoices. Returns the row id of the receipt. A later area has it. */
export type SettleAttempt = (work: Work, attempt: AttemptRow, invoices: readonly AttemptInvoiceRow[]) => string;

/** The operations of `subscriptions` that know invoices. The compositions pass them in. */
export interface ChargeOperations {
	readonly chargeInvoice: (work: Work, invoiceId: string, methodId?: string) => AttemptRow;
	readonly settleAttempt: SettleAttempt;
}

/** A call that the collector makes for an attempt. */
export interface AttemptCall {
	readonly step: Step;
	readonly key: string;
	readonly ref: string | null;
	readonly order: AttemptOrder;
}

/** Writes the row before the next call of an attempt, and returns the call; null if none is due. */
export function beginStep(work: Work, { attemptId, can }: { attemptId: string; can: Can }): AttemptCall | null {
	const attempt = getAttempt(work, attemptId);
	if (attempt.dueAt === null) return null;
	const step = nextStep(attempt, can, work.machineNow);
	if (step === null) {
		const ended = endUncalled(attempt);
		saveAttempt(work, attempt, { state: ended.state, dueAt: null });
		return null;
	}
	const begun =
		step === "CREATE" || step === "CONFIRM"
			? saveAttempt(work, attempt, columnsOf(beforeCall(attempt, step, can, work.machineNow)))
			: attempt;
	const method = methodsByIds(work, [attempt.methodId]).get(attempt.methodId);
	assert(method, "the method of an attempt is there");
	const { id, amount, currency, description, ref } = begun;
	return {
		...{ step, ref, key: keyOf(id, step, begun) },
		order: {
			...{ ours: id, money: { amount, currency }, description },
			...{ customerRef: method.customerRef, methodRef: method.ref },
		},
	};
}

const columnsOf = (row: AttemptRow): Partial<AttemptRow> => ({
	...{ state: row.state, ref: row.ref, pending: row.pending, keyNumber: row.keyNumber, keySince: row.keySince },
	...{ received: row.received, failure: row.failure, actionUrl: row.actionUrl, isCancelWanted: row.isCancelWanted },
});

/** The outcome of a step of an attempt. */
export interface StepReport {
	readonly attemptId: string;
	readonly step: Step;
	readonly outcome: Outcome;
	readonly can: Can;
}

/** Applies the outcome of a call. Money that arrived is recorded once. */
export function applyStep(work: Work, { attemptId, step, outcome, can }: StepReport, settle: SettleAttempt): null {
	const attempt = getAttempt(work, attemptId);
	const applied = applyOutcome(attempt, step, outcome, can, work.machineNow);
	const wanted = applied.isCancelWanted || isActionOver(applied, work.machineNow);
	saveApplied(work, attempt, endUncalled({ ...applied, isCancelWanted: wanted }), outcome, settle);
	return null;
}

function saveApplied(
	work: Work,
	attempt: AttemptRow,
	applied: AttemptRow,
	outcome: Outcome,
	settle: SettleAttempt,
): AttemptRow {
	const changed = saveAttempt(work, attempt, {
		...columnsOf(applied),
		dueAt: dueAfter(attempt, applied, outcome, work.machineNow),
		...(isFinal(applied.state) && { endedAt: attempt.endedAt ?? work.now }),
	});
	const paid = applied.state === "SUCCEEDED" && attempt.receiptId === null;
	const settled = paid
		? saveAttempt(work, changed, { receiptId: settle(work, changed, invoicesOfAttempts(work, [attempt.id])) })
		: changed;
	if (settled.state !== attempt.state && hasEvent(settled)) attemptChanged(work, settled);
	return settled;
}

const hasEvent = ({ state }: AttemptRow): boolean =>
	isFinal(state) || state === "REQUIRES_ACTION" || state === "UNKNOWN";

/**
 * Ends an UNKNOWN attempt by the outcome that a person has found at the provider. Throws BillingInvoiceStatusError for another state;
 * InvalidArgumentError for SUCCEEDED without a reference.
 */
export function resolveAttempt(
	work: Work,
	id: string,
	{ outcome, reference }: AttemptResolution,
	settle: SettleAttempt,
): AttemptRow {
	const attempt = getAttempt(work, id);
	if (attempt.state !== "UNKNOWN")
		throw fail(
			"BillingInvoiceStatusError",
			`The payment attempt '${id}' is ${attempt.state}; only an UNKNOWN one can be resolved.`,
		);
	if (outcome === "SUCCEEDED" && reference === undefined)
		throw fail("InvalidArgumentError", "'reference' is missing: send the provider's reference of the payment.");
	const isPaid = outcome === "SUCCEEDED";
	const answer = {
		...attempt,
		...{ state: outcome, ref: reference ?? attempt.ref, pending: null, dueAt: null },
		received: isPaid ? attempt.amount : toDecimal(0),
		failure: isPaid
			? null
			: ({ code: "resolved", message: "A person found no payment at the provider.", bucket: "OURS" } as const),
	};
	return saveApplied(work, attempt, answer, { kind: "NOT_FOUND" }, settle);
}
