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
 * Queues a simulation of past prices on a version of a plan, and returns the task. Each plan has one simulation: a new
 * one replaces the former and cancels its task. Throws PlanNotFound; for the draft the codes of its publication;
 * PackagePricingTypeNotSet; InvalidArgumentError for a custom plan; BadUserInput for the dates.
 */
export function simulatePlan(work: Work, refId: string, input: PlanSimulate): TaskState {
	const span = spanOf(input);
	const version = simulatedVersion(work, refId, input.versionNumber);
	const task = enqueueTask(work, {
		type: "SIMULATE_PLAN",
		payload: {},
		// Without subscriptions the task has one step.
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

/** The draft must be publishable, as for a publication's dry run. */
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

/**
 * A fingerprint of a price list: the charges, entitlements and compatible addons of a version. Terms that Tollgate 0.2.0
 * did not have count only where they are set, so that a simulation goes on after an upgrade.
 */
export function termsPrintOf(work: Work, version: VersionRow): string {
	const { pricingType, overageBillingPeriod, parentId, compatibleAddonRefs } = version;
	const terms = [pricingType, overageBillingPeriod, parentId, compatibleAddonRefs];
	const print = [terms, chargesOf(work, version.id), entitlementsOf(work, version.id)];
	const { prorationMode, billingAnchor, taxes, phases, spendThresholds, commitments, term } = version;
	const newer = [prorationMode, billingAnchor, taxes, phases, spendThresholds, commitments, term].filter(
		(one) => one !== null,
	);
	return Bun.hash(JSON.stringify([...print, ...newer], withoutUnset)).toString(36);
}

/** The columns of charges that 0.2.0 did not have, by what they hold where the term is not set. */
const unset: Readonly<Record<string, unknown>> = {
	prorationMode: null,
	refundsUnusedTime: true,
	paymentTime: null,
	key: null,
	priceTerms: null,
	taxes: null,
};

const withoutUnset = (name: string, value: unknown): unknown =>
	name in unset && unset[name] === value ? undefined : value;

/** Returns the simulation of a plan by its task's id; undefined if there is none, or no longer. Throws PlanNotFound. */
export function findPlanSimulation(work: Work, refId: string, taskId: string): PlanSimulationRow | undefined {
	const plan = getPackage(work, "PLAN", refId);
	const simulation = findSimulation(work, taskId);
	return simulation?.planId === plan.id ? simulation : undefined;
}
