import { type Instant, instantOf } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { enqueueTask } from "../../tasks/operations";
import type { TaskState } from "../../tasks/table";
import { chargesOf, entitlementsOf, getPackage, getVersion } from "../packages/operations";
import { assertPriced } from "../packages/rules";
import type { VersionRow } from "../packages/table";
import { preparePublication } from "../packages/versions/operations";
import { countBilledOnPlan } from "../subscriptions/versions/operations.past-bills";
import { type PlanSimulate, simulatedDaysMax } from "./schema";
import { findSimulation, insertSimulation } from "./store";
import type { PlanSimulationRow } from "./table";

/**
 * Queues what a version of a plan would have cost in the past; answers the task. One simulation is kept for each plan: this
 * replaces the one before, also of one that still runs, whose task is then canceled.
 * PlanNotFound; for the draft whatever its publication would refuse; PackagePricingTypeNotSet; InvalidArgumentError for a
 * custom plan; BadUserInput for the dates.
 */
export function simulatePlan(work: Work, refId: string, input: PlanSimulate): TaskState {
	const span = spanOf(input);
	const version = simulatedVersion(work, refId, input.versionNumber);
	const task = enqueueTask(work, {
		type: "SIMULATE_PLAN",
		payload: {},
		// Also where nobody runs on the plan there is one step to be done, and then it is done.
		totalCount: Math.max(1, countBilledOnPlan(work, version.packageId)),
	});
	insertSimulation(work, {
		id: task.id,
		planId: version.packageId,
		versionId: version.id,
		versionNumber: version.versionNumber,
		terms: termsPrintOf(work, version),
		...span,
	});
	return task;
}

function spanOf({ startDate, endDate }: PlanSimulate): Pick<PlanSimulationRow, "startAt" | "endAt"> {
	if (startDate === undefined && endDate === undefined) return { startAt: null, endAt: null };
	if (startDate === undefined || endDate === undefined)
		throw fail("BadUserInput", "body: give both 'startDate' and 'endDate', or neither for the last billing periods.");
	const [startAt, endAt]: Instant[] = [instantOf(startDate), instantOf(endDate)];
	if (startAt === undefined || endAt === undefined || endAt <= startAt)
		throw fail("BadUserInput", "body/endDate: must lie after startDate.");
	if (endAt - startAt > simulatedDaysMax * 86_400_000)
		throw fail("BadUserInput", `body/endDate: must lie at most ${simulatedDaysMax} days after startDate.`);
	return { startAt, endAt };
}

/** The draft has to be fit for publication, as for a publication's dry run. */
function simulatedVersion(work: Work, refId: string, versionNumber: number | undefined): VersionRow {
	const version =
		versionNumber === undefined
			? preparePublication(work, "PLAN", refId).draft
			: getVersion(work, "PLAN", refId, { version: String(versionNumber) });
	assertPriced(version, 0);
	if (version.pricingType === "CUSTOM")
		throw fail(
			"InvalidArgumentError",
			`Version ${version.versionNumber} of the plan '${refId}' is CUSTOM: contracts bill it, and it has no cost to compare.`,
		);
	return version;
}

/** Tells two price lists apart: what a version charges, what it grants for it, and what may go with it. */
export function termsPrintOf(work: Work, version: VersionRow): string {
	const { pricingType, overageBillingPeriod, parentId, compatibleAddonRefs } = version;
	const terms = [pricingType, overageBillingPeriod, parentId, compatibleAddonRefs];
	return Bun.hash(JSON.stringify([terms, chargesOf(work, version.id), entitlementsOf(work, version.id)])).toString(36);
}

/** The simulation of a plan by its task's id; undefined where there is none, or not any more. Throws PlanNotFound. */
export function findPlanSimulation(work: Work, refId: string, taskId: string): PlanSimulationRow | undefined {
	const plan = getPackage(work, "PLAN", refId);
	const simulation = findSimulation(work, taskId);
	return simulation?.planId === plan.id ? simulation : undefined;
}
