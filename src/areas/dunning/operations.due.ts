import type { Instant } from "../../kernel/clock";
import { attemptStep, type DueSource, type DueStep } from "../../kernel/due";
import { assert } from "../../kernel/errors";
import { type Due, problemOf, stillBlocks } from "../../kernel/problem";
import { type Work, workAt } from "../../kernel/work";
import { dueTimesOf } from "../access/environments/operations.due";
import { tryOrEnd } from "./operations.charges.due";
import { runEnd } from "./operations.end";
import { remind } from "./operations.remind";
import { resumeDue } from "./operations.resume";
import { postponedByDebit } from "./operations.running";
import { isEnd } from "./rules.schedule";
import type { StepKind } from "./schema.values";
import { caseDueAt, casesDueAt, saveCase } from "./store";
import { type DunningCaseRow, dunningCases } from "./table";

/** Our bound on the invoices of one mail. Further ones follow in another mail. */
const invoicesPerMailMax = 100;

/** The due steps of dunning cases: reminders, by customer and issuer, ends and resumptions. */
export const dueCases: DueSource = {
	...dueTimesOf(dunningCases),
	carryOutFirst: (work, dueAt) => {
		const first = caseDueAt(work, dueAt);
		assert(first, "what is due is there");
		const kind = kindOf(first);
		work.cause.operation ??= `scheduler.DUNNING_${kind}`;
		const cases = kind === "REMINDER" ? casesDueAt(work, dueAt, first, invoicesPerMailMax) : [first];
		return attempt(work, { kind, at: dueAt }, cases, first.invoiceId);
	},
};

function kindOf(row: DunningCaseRow): StepKind {
	if (row.state === "SUSPENDED") return "RESUME";
	if (isEnd(row, row.position)) return "END";
	if (row.retryBuckets === null) return "REMINDER";
	return row.state === "WAITING" ? "FINAL_NOTICE" : "RETRY";
}

/** Carries out a step. Its failure is the problem of its cases until it succeeds. */
function attempt(work: Work, due: Due<StepKind>, cases: readonly DunningCaseRow[], invoiceId: string): DueStep {
	const step = { at: due.at, subject: { invoiceId } };
	const failed = attemptStep(work, () => run(workAt(work, due.at), due.kind, cases));
	if (!failed) return step;
	const { failure } = failed;
	const now = Math.max(work.now, due.at) as Instant;
	let retry: DueStep["retry"];
	for (const row of cases) {
		// A retry is due later, but it is the same step.
		const blocked = row.problem === null ? due : { ...due, at: row.problem.dueAt };
		const before = stillBlocks(row.problem, blocked);
		const problem = problemOf(blocked, failure, { before, refId: row.invoiceId, now });
		saveCase(work, row, { problem, nextDueAt: problem.retryAt });
		retry ??= { step: due.kind, attempts: problem.attempts, retryAt: problem.retryAt };
	}
	return { ...step, failure, ...(retry && { retry }) };
}

/** While a direct debit collects an invoice, its steps wait. */
function run(work: Work, kind: StepKind, cases: readonly DunningCaseRow[]): void {
	if (kind === "RESUME") {
		for (const row of cases) resumeDue(work, row);
		return;
	}
	const running = cases.filter((row) => !postponedByDebit(work, row));
	if (kind !== "REMINDER") for (const row of running) (kind === "END" ? runEnd : tryOrEnd)(work, row);
	else if (running.length > 0) remind(work, running);
}
