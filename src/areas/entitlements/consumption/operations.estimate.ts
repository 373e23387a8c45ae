import { type Decimal, exact, sum, toDecimal, toWire, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds } from "../../currencies/operations";
import { findResource, getCustomer } from "../../customers/operations";
import { assertTakesReports, featuresByIds, findFeature, listMeters } from "../../features/operations";
import type { FeatureRow } from "../../features/table";
import { creditsForEvent, creditsForUnits } from "../../pricing/credits";
import type { Dimensions } from "../../pricing/formula";
import { parseFormula } from "../../pricing/formula-parser";
import { inPricedUnits } from "../../pricing/usage";
import { creditRatesOf, type FeatureCreditRate } from "../../subscriptions/billing/operations.credit-rates";
import { liveSubscriptions } from "../../subscriptions/operations";
import { currentUsage } from "../../usage/operations";
import { deltaOf } from "../../usage/reports/rules";
import { amountOf, compileField, compileFilters, decimalOf } from "../../usage/rules";
import { totalCredits } from "../credits";
import { resolveEntitlements } from "../resolve";
import { periodShown } from "./operations";
import type { CreditEstimate, EstimateWarning, EventEstimateBody, UsageEstimateBody } from "./schema.estimate";

/** What one use would cost of a feature; null: a meter whose value of one event says nothing by itself. */
interface Use {
	readonly feature: FeatureRow;
	readonly added: Decimal | null;
}

/**
 * What a report of usage would cost in credits; nothing is recorded. Usage that is taken back costs nothing and gives nothing
 * back. CustomerNotFound, CustomerResourceNotFound, and what a report itself is refused by.
 */
export function estimateUsage(work: Work, input: UsageEstimateBody): CreditEstimate {
	const holder = holderOf(work, input);
	const feature = findFeature(work, input.featureId);
	if (!feature) return { estimates: [], warnings: [...holder.warnings, "FEATURE_NOT_FOUND"] };
	assertTakesReports(work, feature);
	const value = toDecimal(input.value);
	const current = currentOf(work, feature, holder);
	const added = deltaOf({ behavior: input.updateBehavior ?? "DELTA", value, current, where: "body" });
	return estimate(work, holder, [{ feature, added }], input.dimensions ?? {});
}

/** What an event would cost in credits, by every meter that takes it; it is not ingested. */
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
	const uses = meters.flatMap((meter): Use[] => {
		const feature = features.get(meter.featureId);
		if (!feature) return [];
		const { function: name } = meter.aggregation;
		if (name === "COUNT") return [{ feature, added: "1" as Decimal }];
		// Of the others one event moves the value by what the rest of them says.
		return [{ feature, added: name === "SUM" ? decimalOf(amountOf(compileField(meter)(facts))) : null }];
	});
	return estimate(work, holder, uses, dimensions);
}

interface Holder {
	readonly customerRef: string;
	readonly customerId: string;
	readonly resourceRef: string | null;
	readonly warnings: readonly EstimateWarning[];
	/** Of the subscriptions that are asked: the first that has one counts for a feature. */
	readonly rates: readonly FeatureCreditRate[];
}

/** As a check finds them: without a resource only what belongs to none, which a warning says where there is more. */
function holderOf(
	work: Work,
	{ customerId: customerRef, resourceId }: { readonly customerId: string; readonly resourceId?: string | null },
): Holder {
	const customer = getCustomer(work, customerRef);
	const resourceRef = resourceId ?? null;
	const resource = resourceRef === null ? null : findResource(work, customer.id, resourceRef);
	if (resource === undefined)
		throw fail("CustomerResourceNotFound", `Customer '${customerRef}' has no resource '${resourceRef}'.`);
	const live = liveSubscriptions(work, customer.id);
	const ofResource = live.filter((row) => row.resourceId !== null);
	const asked = [
		...ofResource.filter((row) => row.resourceId === resource?.id),
		...live.filter((row) => row.resourceId === null),
	];
	return {
		customerRef,
		customerId: customer.id,
		resourceRef,
		warnings: resource === null && ofResource.length > 0 ? ["RESOURCE_SCOPED_SUBSCRIPTION_EXISTS"] : [],
		rates: asked.flatMap((row) => creditRatesOf(work, row)),
	};
}

interface Cost {
	readonly rate: FeatureCreditRate;
	readonly featureRef: string;
	readonly cost: Decimal;
	readonly isSupported: boolean;
}

function estimate(work: Work, holder: Holder, uses: readonly Use[], dimensions: Dimensions): CreditEstimate {
	const costs = uses.flatMap((use): Cost[] => {
		const rate = holder.rates.find(({ featureId }) => featureId === use.feature.id);
		if (!rate) return [];
		const isSupported = use.added !== null || rate.costFormula !== null;
		return [{ rate, featureRef: use.feature.refId, cost: costOf(work, holder, use, rate, dimensions), isSupported }];
	});
	const warnings: EstimateWarning[] =
		costs.length === 0 ? [...holder.warnings, "FEATURE_NOT_CREDIT_BASED"] : [...holder.warnings];
	const currencies = currenciesByIds(
		work,
		costs.map(({ rate }) => rate.currencyId),
	);
	const { credits } = resolveEntitlements(work, holder.customerRef, holder.resourceRef);
	const estimates = [...Map.groupBy(costs, ({ rate }) => rate.currencyId)].map(([id, those]) => {
		const currencyId = currencies.get(id)?.refId ?? "";
		// There is no ledger of credits yet: what is granted is what there is.
		const granted = credits.get(currencyId);
		const balance = granted ? totalCredits(granted.grants, work.now).granted : zero;
		const cost = sum(those.map((one) => exact(one.cost)));
		const after = exact(balance).minus(cost);
		return {
			currencyId,
			estimatedCost: toWire(toDecimal(cost)),
			currentBalance: toWire(balance),
			balanceAfterEstimate: toWire(toDecimal(after)),
			wouldOverdraft: after.lt(0),
			breakdown: those.map((one) => ({
				featureId: one.featureRef,
				cost: toWire(one.cost),
				warningCode: one.isSupported ? null : ("UNSUPPORTED_AGGREGATION" as const),
			})),
		};
	});
	return { estimates, warnings };
}

/** What it costs more than what was used so far: a started block is paid once. */
function costOf(
	work: Work,
	holder: Holder,
	{ feature, added }: Use,
	rate: FeatureCreditRate,
	dimensions: Dimensions,
): Decimal {
	if (rate.costFormula !== null) return creditsForEvent(parseFormula(rate.costFormula), dimensions);
	if (added === null || exact(added).lte(0)) return zero;
	const current = currentOf(work, feature, holder);
	const credits = (usage: Decimal) => exact(creditsForUnits(rate, inPricedUnits(usage, feature.unitTransformation)));
	return toDecimal(credits(toDecimal(exact(current).plus(exact(added)))).minus(credits(current)));
}

/** What counts now, in the usage period that a check shows. */
function currentOf(work: Work, feature: FeatureRow, { customerRef, customerId, resourceRef }: Holder): Decimal {
	const found = resolveEntitlements(work, customerRef, resourceRef).features.get(feature.refId);
	const period = found ? periodShown(found, work.now) : null;
	return currentUsage(work, { featureId: feature.id, customerId, resourceId: resourceRef, period });
}
