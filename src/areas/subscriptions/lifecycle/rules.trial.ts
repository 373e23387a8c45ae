import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { addUnits } from "../../../kernel/period";
import type { PricingType } from "../../packages/schema";
import type { SubscriptionStatus, TrialEndBehavior } from "../schema";

interface Budget {
	readonly limit: Decimal;
	readonly hasSoftLimit: boolean;
}

/** A trial, as it will be written down. */
export interface Trial {
	readonly endAt: Instant;
	readonly behavior: TrialEndBehavior;
	/** The most that on-demand charges may come to meanwhile. */
	readonly budget: Budget | null;
}

export interface TrialTerms {
	readonly startAt: Instant;
	readonly pricingType: PricingType;
	/** What the plan offers by itself. */
	readonly offered: {
		readonly duration: number;
		readonly units: "DAY" | "MONTH";
		readonly budget: Budget | null;
		readonly trialEndBehavior: TrialEndBehavior | null;
	} | null;
	/** What the caller wants instead. */
	readonly requested:
		| {
				readonly isTrial: boolean;
				readonly endAt?: Instant | undefined;
				readonly behavior?: TrialEndBehavior | undefined;
		  }
		| undefined;
	/** Every subscription that the customer has had to the product. */
	readonly history: ReadonlyArray<{
		readonly pricingType: PricingType;
		readonly status: SubscriptionStatus;
		readonly trialEndAt: Instant | null;
	}>;
}

/**
 * Whether a subscription begins as a trial. Source: docs/interface/subscriptions.md: the plan's own trial is given once for a
 * customer and product, and not by who has paid for the product; then it does not apply, and is not refused. Who asks for a trial
 * gets it: BadUserInput when nothing says how long it lasts.
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
	return { endAt, behavior, budget: offered?.budget ?? null };
}

const offeredEnd = ({ duration, units }: NonNullable<TrialTerms["offered"]>, startAt: Instant): Instant =>
	addUnits(startAt, units === "DAY" ? "days" : "months", duration);

const hadTrialOrPaid = ({ pricingType, status, trialEndAt }: TrialTerms["history"][number]): boolean =>
	trialEndAt !== null || (pricingType === "PAID" && status !== "NOT_STARTED" && status !== "PAYMENT_PENDING");
