import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { addDays, addMonths } from "../../../kernel/period";
import type { PricingType } from "../../packages/schema";
import type { SubscriptionStatus, TrialEndBehavior } from "../schema";

interface Budget {
	readonly limit: Decimal;
	readonly hasSoftLimit: boolean;
}

/** The stored terms of a trial. */
export interface Trial {
	readonly endAt: Instant;
	readonly behavior: TrialEndBehavior;
	/** The limit of on-demand charges during the trial. */
	readonly budget: Budget | null;
	/** Whether usage in the trial is billed at its end. */
	readonly billsUsage: boolean;
}

export interface TrialTerms {
	readonly startAt: Instant;
	readonly pricingType: PricingType;
	/** The trial of the plan. */
	readonly offered: {
		readonly duration: number;
		readonly units: "DAY" | "MONTH";
		readonly budget: Budget | null;
		readonly trialEndBehavior: TrialEndBehavior | null;
		readonly billsUsage?: boolean;
	} | null;
	/** The trial of the request. */
	readonly requested:
		| {
				readonly isTrial: boolean;
				readonly endAt?: Instant | undefined;
				readonly behavior?: TrialEndBehavior | undefined;
		  }
		| undefined;
	/** All subscriptions of the customer to the product. */
	readonly history: ReadonlyArray<{
		readonly pricingType: PricingType;
		readonly status: SubscriptionStatus;
		readonly trialEndAt: Instant | null;
	}>;
}

/**
 * Decides whether a subscription begins as a trial (docs/interface/subscriptions.md). The plan's trial applies once for
 * each customer and product, and not after a paid subscription; otherwise it is skipped without an error. A requested
 * trial always applies. Throws BadUserInput if its length is unknown.
 */
export function trialFor({ startAt, pricingType, offered, requested, history }: TrialTerms): Trial | null {
	if (requested?.isTrial === false || pricingType === "FREE") return null;
	if (!requested && (!offered || history.some(hadTrialOrPaid))) return null;
	const endAt = requested?.endAt ?? (offered && offeredEnd(offered, startAt));
	if (endAt === null)
		throw fail(
			"BadUserInput",
			"body/trialOverrideConfiguration: give 'trialEndDate'; the plan does not say how long a trial lasts.",
		);
	if (requested?.endAt !== undefined && endAt <= startAt)
		throw fail("BadUserInput", "body/trialOverrideConfiguration/trialEndDate: must lie after the start.");
	if (endAt <= startAt) return null;
	const behavior = requested?.behavior ?? offered?.trialEndBehavior ?? "CONVERT_TO_PAID";
	return { endAt, behavior, budget: offered?.budget ?? null, billsUsage: offered?.billsUsage ?? false };
}

const offeredEnd = ({ duration, units }: NonNullable<TrialTerms["offered"]>, startAt: Instant): Instant =>
	units === "DAY" ? addDays(startAt, duration) : addMonths(startAt, duration);

const hadTrialOrPaid = ({ pricingType, status, trialEndAt }: TrialTerms["history"][number]): boolean =>
	trialEndAt !== null || (pricingType === "PAID" && status !== "NOT_STARTED" && status !== "PAYMENT_PENDING");
