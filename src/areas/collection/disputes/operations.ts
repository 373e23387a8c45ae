import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import type { DisputeAnswer, Evidence } from "../providers/provider";
import { listDueDisputes, saveDispute, selectProblems } from "./store";

export { listDueDisputes };

const dayMs = 86_400_000;
const soonMs = 60_000;

/** A dispute as a provider describes it. */
export interface ReportedDispute {
	readonly connectionId: string;
	readonly answer: DisputeAnswer;
	/** A caller has accepted the dispute, so that LOST is its choice. */
	readonly byChoice?: boolean;
}

/** The content of a call about a dispute, for which a caller of the API waits. */
export interface PlannedDisputeCall {
	readonly connectionId: string;
	readonly ref: string;
	readonly evidence: Evidence;
}

/** Applies a provider's statement about a dispute. A later area has the receipts and their disputes. */
export type ApplyDispute = (work: Work, reported: ReportedDispute) => null;

const ends: ReadonlySet<DisputeAnswer["state"]> = new Set(["WON", "LOST", "CLOSED"]);

/** Records that the books follow a dispute. An open one is looked up once a day, since an event can get lost. */
export const followDispute = (work: Work, { connectionId, answer }: ReportedDispute): void => {
	const { ref, paymentRef, state } = answer;
	const dueAt = ends.has(state) ? null : ((work.machineNow + dayMs) as Instant);
	saveDispute(work, { connectionId, ref, paymentRef, problem: null, dueAt });
};

/** Looks a dispute up again in a minute: the attempt that it concerns is not final yet. */
export const postponeDispute = (work: Work, { connectionId, answer }: ReportedDispute): void => {
	const { ref, paymentRef } = answer;
	const dueAt = (work.machineNow + soonMs) as Instant;
	saveDispute(work, { connectionId, ref, paymentRef, problem: null, dueAt });
};

/** Records why the books cannot follow a dispute. It is looked up again tomorrow, and `tollgate check` reports it. */
export function keepDisputeProblem(
	work: Work,
	{
		connectionId,
		ref,
		paymentRef,
		problem,
	}: Readonly<Record<"connectionId" | "ref" | "paymentRef" | "problem", string>>,
): null {
	const dueAt = (work.machineNow + dayMs) as Instant;
	saveDispute(work, { connectionId, ref, paymentRef, problem, dueAt });
	return null;
}

/** Returns in how many milliseconds a dispute is due; undefined if none is. */
export const msUntilDispute = (work: Work): number | undefined => {
	const [first] = listDueDisputes(work, 1);
	return first?.dueAt == null ? undefined : Math.max(0, first.dueAt - work.machineNow);
};

const pageRows = 500;

/** Yields the disputes of this environment that the books cannot follow. */
export function* checkProviderDisputes(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const rows = selectProblems(work, after, pageRows);
		const last = rows.at(-1);
		if (!last) return;
		for (const { ref, paymentRef, problem } of rows)
			yield `the dispute ${ref} of the payment ${paymentRef} at the provider is not in the books: ${problem}`;
		after = last.id;
	}
}
