import type { Instant } from "../../../kernel/clock";
import { attemptStep, type DueSource, type DueStep } from "../../../kernel/due";
import { assert } from "../../../kernel/errors";
import { problemOf, stillBlocks } from "../../../kernel/problem";
import { type Work, workAt } from "../../../kernel/work";
import { dueTimesOf } from "../../access/environments/operations.due";
import { nextPhase } from "../rules.states";
import { setBillingPhase } from "../store";
import { selectItems } from "../store.billing";
import { type ContractRow, contracts } from "../table";
import { carryOn } from "./carry-on";
import { issueLate, issuePlanned } from "./issue";
import { renewTerm } from "./renew";
import { type ContractDue, lateUsageCheckOf, nextContractDue } from "./rules.due";
import { nextInvoices } from "./rules.schedule";
import { saveDue, selectContract, selectDueAt } from "./store";
import { withTaxes } from "./taxed";
import { liveTerms } from "./terms";

/** The due steps of contracts, for the scheduler. */
export const dueContracts: DueSource = {
	...dueTimesOf(contracts),
	carryOutFirst: (work, dueAt) => {
		const contract = selectDueAt(work, dueAt);
		assert(contract, "what is due is there");
		return attempt(work, contract, dueAt);
	},
};

/** A failure is stored on the contract until the step succeeds or is no longer due. */
function attempt(work: Work, contract: ContractRow, dueAt: Instant): DueStep {
	const due = dueOf(work, contract);
	work.cause.operation ??= `scheduler.${due.kind}`;
	const step = { at: dueAt, subject: { contractId: contract.refId } };
	const failed = attemptStep(work, () => carryOut(work, contract, due));
	if (!failed) return step;
	const now = dueAt > work.now ? dueAt : work.now;
	const before = stillBlocks(contract.problem, due);
	const problem = problemOf(due, failed.failure, { before, refId: contract.refId, now });
	saveDue(work, contract, { problem, nextDueAt: problem.retryAt });
	return { ...step, ...failed, retry: { ...problem, step: problem.kind } };
}

/**
 * Runs due steps of a contract in the caller's transaction, up to a limit; the scheduler runs the rest. An error of a
 * step rejects the call.
 */
export function runContractSteps(work: Work, contractId: string, stepsMax: number): void {
	for (let steps = 0; steps < stepsMax; steps += 1) {
		const contract = selectContract(work, contractId);
		if (!contract || contract.nextDueAt === null || contract.nextDueAt > work.now) return;
		carryOut(work, contract, dueOf(work, contract));
	}
}

function dueOf(work: Work, contract: ContractRow): ContractDue {
	// A check for late usage depends on the time before it.
	const before = justBefore(contract.problem?.dueAt ?? contract.nextDueAt ?? work.now);
	const due = nextContractDue(contract, selectItems(work, contract), before);
	assert(due, "what is due has something to be done");
	return due;
}

/** Runs a step at its due time: all it writes has that date, however late it runs. */
function carryOut(work: Work, contract: ContractRow, { kind, at }: ContractDue): void {
	const then = workAt(work, at);
	const items = withTaxes(then, contract, selectItems(then, contract));
	switch (kind) {
		case "CARRY_ON":
			// Dated at the time of the step, not of the upgrade: no invoice is dated earlier.
			carryOn(work, contract, items);
			planNext(work, contract);
			return;
		case "ISSUE":
			for (const planned of nextInvoices(items, liveTerms(then, contract)))
				issuePlanned(then, contract, items, planned);
			break;
		case "RENEW":
			renewTerm(then, contract, items);
			break;
		case "END":
			setBillingPhase(then, contract, nextPhase(contract, "endBilling"));
			break;
		case "LATE_USAGE":
			issueLate(
				then,
				contract,
				items.filter((item) => lateUsageCheckOf(item, justBefore(at)) === at),
			);
	}
	// Other steps due at that time follow.
	planNext(then, contract, kind === "LATE_USAGE" ? at : justBefore(at));
}

const justBefore = (at: Instant): Instant => (at - 1) as Instant;

/**
 * Stores when the next step of a contract is due after an instant. Every change of its billing state, its items or its
 * publication calls this.
 */
export function planNext(work: Work, { id }: Pick<ContractRow, "id">, after: Instant = work.now): void {
	const contract = selectContract(work, id);
	assert(contract, "a contract that is planned is there");
	const due = nextContractDue(contract, selectItems(work, contract), after);
	saveDue(work, contract, { nextDueAt: due?.at ?? null, problem: null });
	if (due && due.at <= work.now) work.wake("scheduler");
}
