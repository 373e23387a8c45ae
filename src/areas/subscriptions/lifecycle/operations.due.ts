import { type Instant, toIso } from "../../../kernel/clock";
import { assert, DomainError } from "../../../kernel/errors";
import { isStorageTrouble } from "../../../kernel/storage";
import { type Work, workAt } from "../../../kernel/work";
import { billLateUsage, billUsage, renew } from "../billing/renewal";
import { changeSubscription } from "../store";
import type { SubscriptionRow } from "../table";
import { prepareSale, type Sale } from "../terms/prepare-sale";
import { saleOf, subscribedItems } from "../terms/subscription-sale";
import { applyDueUpdates } from "./apply-update";
import { currentSubscriptionsOf, excluding } from "./current";
import { markEnded } from "./ending";
import { endSubscription, startFallbackPlan } from "./fallback-plan";
import { replaceParts, startSubscription } from "./provision";
import { type Due, type DueProblem, isBilledHere, nextDue, stillBlocks } from "./rules.due";
import { problemOf } from "./rules.problems";
import {
	keepProblem,
	selectDueOfCustomer,
	selectFirstDueAt,
	selectFirstDueByEnvironment,
	selectNextDue,
} from "./store.due";

/** One step that an environment's clock has brought about. */
export interface DueStep {
	/** When it was due; everything it did is dated so. */
	readonly at: Instant;
	/** The caller's id of the subscription. */
	readonly subscriptionRef: string;
	/** Why it could not be carried out, and when it is tried again. */
	readonly failure?: unknown;
	readonly problem?: DueProblem;
}

/** When the next step of the work's environment is due, however far ahead; undefined when nothing waits. */
export const nextDueAt = (work: Work): Instant | undefined => selectFirstDueAt(work) ?? undefined;

/** For every environment that waits for something: when. Asked by the service itself, for all environments. */
export const dueEnvironments = (work: Work): Array<{ environmentId: string; dueAt: Instant }> =>
	selectFirstDueByEnvironment(work);

/**
 * Carries out the first step of the work's environment that is due by `until`, at its own time, in the caller's transaction;
 * undefined when none is. A step that cannot be carried out is undone alone and tried again later, so that one subscription
 * never holds up the others. Trouble of the disk is no failure of the step: it is thrown, and nothing is kept.
 */
export function runNextDue(work: Work, until: Instant): DueStep | undefined {
	const row = selectNextDue(work, until);
	if (!row) return undefined;
	return attempt(work, row);
}

/**
 * Carries out what is due of a subscription in a savepoint. What fails is written on the subscription, until the step is
 * carried out or is no longer due; the pauses are counted from the attempt, not from when it was due.
 */
function attempt(work: Work, row: SubscriptionRow): DueStep {
	const due = dueOf(row);
	const step = { at: later(due.at, row.nextDueAt), subscriptionRef: row.refId };
	let cause: unknown;
	try {
		work.tx.transaction(() => {
			try {
				carryOut(work, row, due);
			} catch (failure) {
				cause = failure;
				throw failure;
			}
		});
		return step;
	} catch (thrown) {
		// A full disk may undo the whole transaction, and then the savepoint cannot be gone back to: the cause came before.
		const failure = cause ?? thrown;
		if (isStorageTrouble(failure) || isTransactionLost(thrown)) throw failure;
		const before = stillBlocks(row.problem, due);
		const problem = problemOf(due, failure, { before, refId: row.refId, now: later(step.at, work.now) });
		keepProblem(work, row, problem);
		return { ...step, failure, problem };
	}
}

const isTransactionLost = (error: unknown): boolean =>
	error instanceof Error && error.message.startsWith("no such savepoint");

const later = (one: Instant, other: Instant | null): Instant => (other !== null && other > one ? other : one);

/** Our choice: a customer's backlog that is longer than this is a fault, and is told instead of blocking the call. */
const stepsMax = 100_000;

/**
 * Carries out everything that is due for a customer (its row id) by now, in the caller's transaction: so that a call never
 * meets a subscription whose renewal, say, is a moment late. What is refused by a rule does not keep the call from being
 * made: it may be the one that mends it.
 */
export function runDueSteps(work: Work, customerId: string): void {
	for (let steps = 0; steps < stepsMax; steps += 1) {
		const row = selectDueOfCustomer(work, customerId);
		if (!row) return;
		const { failure } = attempt(work, row);
		if (failure !== undefined && !(failure instanceof DomainError)) throw failure;
	}
	throw new Error(
		`The customer ${customerId} has more than ${stepsMax} steps to be carried out by ${toIso(work.now)}.`,
	);
}

function dueOf(row: SubscriptionRow): Due {
	const due = nextDue(row);
	assert(due, "what is due has something to be done");
	return due;
}

/** At the time at which it was due: what it writes is dated so, whenever it is done. */
function carryOut(work: Work, row: SubscriptionRow, { kind, at }: Due): void {
	const then = workAt(work, at);
	switch (kind) {
		case "CANCEL":
			endSubscription(then, row, { reason: "ScheduledCancellation", prorate: row.cancelProrates });
			return;
		case "EXPIRE":
			endSubscription(then, row, { reason: "EXPIRED", status: "EXPIRED" });
			return;
		case "PAYMENT_EXPIRE":
			markEnded(then, row, { reason: "PENDING_PAYMENT_EXPIRED", status: "EXPIRED" });
			return;
		case "TRIAL_END":
			endTrial(then, row);
			return;
		case "START":
			startScheduled(then, row);
			return;
		case "UPDATE":
			applyDueUpdates(then, row);
			return;
		case "BILL_USAGE":
			if (row.status === "ACTIVE" && isBilledHere(row)) billUsage(then, row, at, "BILLING_CYCLE");
			else billLateUsage(then, row);
			return;
		case "RENEW":
			renew(then, row);
	}
}

/**
 * A trial goes on as what was tried, and is charged from here on, or it ends. A customer who has chosen a paid
 * or custom plan of the product by then keeps it: that trial ends too. Source: docs/interface/subscriptions.md.
 */
function endTrial(work: Work, row: SubscriptionRow): void {
	const sale = saleOf(work, row);
	const current = excluding(currentSubscriptionsOf(work, row, sale), row);
	const hasChosen = current.active !== undefined && current.active.pricingType !== "FREE";
	if (row.trialEndBehavior === "CANCEL_SUBSCRIPTION" || hasChosen) {
		const ended = markEnded(work, row, { reason: "TRIAL_ENDED", status: "EXPIRED" });
		if (!current.active) startFallbackPlan(work, ended, null);
		return;
	}
	startSubscription(work, row, sale, { current });
}

/** What was sold for later begins on the versions that are sold by then (docs/interface/subscriptions.md). */
function startScheduled(work: Work, row: SubscriptionRow): void {
	const sale = soldByNow(work, row);
	assert(sale.plan.pricingType, "a published plan has a pricing type");
	const started = changeSubscription(work, row, {
		versionId: sale.plan.id,
		pricingType: sale.plan.pricingType,
		billingPeriod: sale.billingPeriod,
		supersedesId: null,
		supersedesAs: null,
	});
	replaceParts(work, started, sale);
	startSubscription(work, started, sale, { current: excluding(currentSubscriptionsOf(work, row, sale), row) });
}

/** Where the newest versions cannot be sold so (a period that is no longer priced, say), what was agreed holds. */
function soldByNow(work: Work, row: SubscriptionRow): Sale {
	const { addons, charges, versions } = subscribedItems(work, row);
	const plan = versions.find(({ kind }) => kind === "PLAN");
	assert(plan, "a subscription has a plan");
	try {
		return prepareSale(work, {
			planId: plan.refId,
			addons,
			charges,
			billingPeriod: row.billingPeriod ?? undefined,
			prices: { country: row.billingCountryCode },
			priceOverrides: row.priceOverrides,
		});
	} catch (refusal) {
		if (refusal instanceof DomainError) return saleOf(work, row);
		throw refusal;
	}
}
