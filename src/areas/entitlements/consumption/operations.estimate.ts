import { type Decimal, exact, sum, toDecimal, toWire, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { estimateCost } from "../../credits/costs/operations";
import type { Use } from "../../credits/costs/rules";
import { currenciesByIds } from "../../currencies/operations";
import { findResource, getCustomer } from "../../customers/operations";
import { assertTakesReports, featuresByIds, findFeature, listMeters } from "../../features/operations";
import type { FeatureRow } from "../../features/table";
import { liveSubscriptions } from "../../subscriptions/operations.reading";
import { currentUsage } from "../../usage/operations";
import { deltaOf } from "../../usage/reports/rules";
import { amountOf, compileField, compileFilters, decimalOf } from "../../usage/rules";
import { balanceOf } from "../credits";
import type { CreditRateOfHolder } from "../operations.credit-rates";
import { creditsOf } from "../operations.credits";
import { periodShown, periodStartShown } from "../operations.resets";
import { type Resolved, resolveEntitlements } from "../operations.resolve";
import type { CreditEstimate, EstimateWarning, EventEstimateBody, UsageEstimateBody } from "./schema.estimate";

interface FeatureUse extends Use {
	readonly feature: FeatureRow;
}

/**
 * Estimates the credits that a report of usage costs, without recording it. Negative usage costs nothing and releases nothing.
 * Throws CustomerNotFound, CustomerResourceNotFound, and the errors of a report.
 */
export function estimateUsage(work: Work, input: UsageEstimateBody): CreditEstimate {
	const holder = holderOf(work, input);
	const feature = findFeature(work, input.featureId);
	if (!feature) return { estimates: [], warnings: [...holder.warnings, "FEATURE_NOT_FOUND"] };
	assertTakesReports(work, feature);
	const value = toDecimal(input.value);
	const current = currentOf(work, feature, holder);
	const added = deltaOf({ behavior: input.updateBehavior ?? "DELTA", value, current, where: "body" });
	return estimate(work, holder, [{ feature, added, dimensions: input.dimensions ?? {} }]);
}

/** Estimates the credits that an event costs, by every meter that counts it. The event is not ingested. */
export function estimateEvent(work: Work, input: EventEstimateBody): CreditEstimate {
	const holder = holderOf(work, input);
	const dimensions = input.dimensions ?? {};
	const facts = {
		eventName: input.eventName,
		dimension: (name: string) => (Object.hasOwn(dimensions, name) ? dimensions[name] : undefined),
	};
	const meters = listMeters(work).filter(({ filters }) => compileFilters(filters)(facts));
	if (meters.length === 0) return { estimates: [], warnings: [...holder.warnings, "FEATURE_NOT_FOUND"] };
	const features = featuresByIds(
		work,
		meters.map(({ featureId }) => featureId),
	);
	const uses = meters.flatMap((meter): FeatureUse[] => {
		const feature = features.get(meter.featureId);
		if (!feature) return [];
		const { function: name } = meter.aggregation;
		if (name === "COUNT") return [{ feature, added: "1" as Decimal, dimensions }];
		// With other aggregations, the effect of one event depends on the other events.
		const added = name === "SUM" ? decimalOf(amountOf(compileField(meter)(facts))) : null;
		return [{ feature, added, dimensions }];
	});
	return estimate(work, holder, uses);
}

interface Holder {
	readonly customerRef: string;
	readonly customerId: string;
	readonly resourceRef: string | null;
	readonly warnings: readonly EstimateWarning[];
	readonly resolved: Resolved;
}

/** Resolves entitlements as a check does. Without a resource, a warning reports subscriptions of resources. */
function holderOf(
	work: Work,
	{ customerId: customerRef, resourceId }: { readonly customerId: string; readonly resourceId?: string | null },
): Holder {
	const customer = getCustomer(work, customerRef);
	const resourceRef = resourceId ?? null;
	const resource = resourceRef === null ? null : findResource(work, customer.id, resourceRef);
	if (resource === undefined)
		throw fail("CustomerResourceNotFound", `Customer '${customerRef}' has no resource '${resourceRef}'.`);
	const hasOnResources = liveSubscriptions(work, customer.id).some((row) => row.resourceId !== null);
	return {
		customerRef,
		customerId: customer.id,
		resourceRef,
		warnings: resource === null && hasOnResources ? ["RESOURCE_SCOPED_SUBSCRIPTION_EXISTS"] : [],
		resolved: resolveEntitlements(work, customerRef, resourceRef),
	};
}

interface Cost {
	readonly rate: CreditRateOfHolder;
	readonly featureRef: string;
	readonly cost: Decimal;
	readonly isSupported: boolean;
}

function estimate(work: Work, holder: Holder, uses: readonly FeatureUse[]): CreditEstimate {
	const costs = uses.flatMap((use): Cost[] => {
		const rate = holder.resolved.rates.get(use.feature.id);
		if (!rate) return [];
		const isSupported = use.added !== null || rate.costFormula !== null;
		const cost = estimateCost(work, rate, {
			...{ customerId: holder.customerId, resourceRef: holder.resourceRef, ...use },
			periodStart: () => periodStartShown(holder.resolved, use.feature, work.now),
		});
		return [{ rate, featureRef: use.feature.refId, cost, isSupported }];
	});
	const warnings: EstimateWarning[] =
		costs.length === 0 ? [...holder.warnings, "FEATURE_NOT_CREDIT_BASED"] : [...holder.warnings];
	const currencies = currenciesByIds(
		work,
		costs.map(({ rate }) => rate.currencyId),
	);
	const available = creditsOf(work, holder.resolved, holder.resourceRef);
	const estimates = [...Map.groupBy(costs, ({ rate }) => rate.currencyId)].map(([id, ofCurrency]) => {
		const currencyId = currencies.get(id)?.refId ?? "";
		const credits = available.find(({ currency }) => currency.id === id);
		// Less than zero where consumption exceeds the grants.
		const balance = credits ? balanceOf(credits) : zero;
		const cost = sum(ofCurrency.map((one) => exact(one.cost)));
		const after = exact(balance).minus(cost);
		return {
			currencyId,
			estimatedCost: toWire(toDecimal(cost)),
			currentBalance: toWire(balance),
			balanceAfterEstimate: toWire(toDecimal(after)),
			wouldOverdraft: after.lt(0),
			breakdown: ofCurrency.map((one) => ({
				featureId: one.featureRef,
				cost: toWire(one.cost),
				warningCode: one.isSupported ? null : ("UNSUPPORTED_AGGREGATION" as const),
			})),
		};
	});
	return { estimates, warnings };
}

/** Returns the usage in the period that a check shows. */
function currentOf(work: Work, feature: FeatureRow, { resolved, customerId, resourceRef }: Holder): Decimal {
	const found = resolved.features.get(feature.refId);
	const period = found ? periodShown(found, work.now) : null;
	return currentUsage(work, { featureId: feature.id, customerId, resourceId: resourceRef, period });
}
