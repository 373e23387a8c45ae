import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, plus, toDecimal, zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { estimateCost, walletFor } from "../credits/costs/operations";
import { findWallet } from "../credits/operations.wallets";
import { currenciesByIds } from "../currencies/operations";
import type { FeatureRow } from "../features/table";
import type { Dimensions } from "../pricing/models/formula";
import { type CreditDecision, decideCredits } from "./credits";
import type { CreditRateOfHolder } from "./operations.credit-rates";
import { type CustomerCredits, creditsOfCurrency } from "./operations.credits";
import { periodStartShown } from "./operations.resets";
import type { Resolved } from "./operations.resolve";

/** The credits that a use of a feature costs, and whether the customer has them. */
export interface UseCost {
	readonly rate: CreditRateOfHolder;
	/** The balance that the use would consume from. */
	readonly credits: CustomerCredits;
	/** Null where the cost is unknown before the event: a formula calculates it from the event's dimensions. */
	readonly cost: Decimal | null;
	readonly decision: CreditDecision;
}

/** A use that a check asks about, or that is about to be recorded. */
export interface RequestedUse {
	readonly feature: FeatureRow;
	/** Row id. */
	readonly customerId: string;
	/** The caller's id. */
	readonly resourceRef: string | null;
	readonly resolved: Resolved;
	readonly at: Instant;
	/** In the units that are limited. */
	readonly requested: Decimal;
	/** The reserved and the recorded amount, in the units that are reported. */
	readonly amount: Decimal;
	/** Undefined where they are not known yet. */
	readonly dimensions: Dimensions | undefined;
}

/**
 * Returns the credits that a use costs, calculated as the estimate does; undefined where no subscription prices the feature
 * in credits. Where the cost is unknown, any balance above zero is enough.
 */
export function useCost(work: Work, use: RequestedUse): UseCost | undefined {
	const { feature, resolved } = use;
	const rate = resolved.rates.get(feature.id);
	if (!rate) return undefined;
	const sold = resolved.credits.values().find(({ currency }) => currency.id === rate.currencyId);
	const currency = sold?.currency ?? currenciesByIds(work, [rate.currencyId]).get(rate.currencyId);
	assert(currency, "currencies are never deleted");
	const credits = creditsOfCurrency(work, currency, sold?.terms ?? [], findWallet(work, walletFor(work, use, rate)));
	const cost = creditsFor(work, use, rate);
	return { rate, credits, cost, decision: decideCredits(credits, cost ?? zero) };
}

/** Returns the credits that a use costs; null where they are unknown before the event. */
export function creditsFor(work: Work, use: RequestedUse, rate: CreditRateOfHolder): Decimal | null {
	const { feature, resolved, dimensions } = use;
	if (rate.costFormula !== null && dimensions === undefined) return null;
	return estimateCost(work, rate, {
		...{ feature, customerId: use.customerId, resourceRef: use.resourceRef },
		...{ added: reportedAmount(use), dimensions: dimensions ?? {} },
		periodStart: () => periodStartShown(resolved, feature, use.at),
	});
}

/** Returns everything that the use adds, in the units that are reported. */
export function reportedAmount({
	feature,
	requested,
	amount,
}: Pick<RequestedUse, "feature" | "requested" | "amount">): Decimal {
	const { unitTransformation } = feature;
	const reported = unitTransformation ? toDecimal(exact(requested).times(exact(unitTransformation.divide))) : requested;
	return plus(amount, reported);
}
