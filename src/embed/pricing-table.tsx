import { useState } from "preact/hooks";
import { type Caller, type PricedPlan, paywall } from "./api";
import { isPer, keyOf, type OfPeriod, periodsOf, periodText, requested } from "./billing-period";
import { Problem, useLoaded, useWords } from "./parts";

export interface Chosen {
	readonly planId: string;
	readonly billingPeriod: OfPeriod["billingPeriod"] | null;
	readonly billingInterval?: NonNullable<OfPeriod["billingInterval"]>;
}

interface PricingTableProps {
	readonly caller: Caller;
	readonly product: string | null;
	readonly country: string | null;
	readonly currency: string | null;
	/** The period that is chosen at first, if there are several. */
	readonly period: string;
	readonly choose: (chosen: Chosen) => void;
}

const isModel = (name: string, model: string): boolean => name.toUpperCase().replaceAll("_", "") === model;

/** The plans for sale, with prices of one country and currency. */
export function PricingTable({ caller, product, country, currency, period: first, choose }: PricingTableProps) {
	const words = useWords();
	const { say } = words;
	const [period, setPeriod] = useState<OfPeriod>();
	const {
		value: plans,
		error,
		again,
	} = useLoaded(
		() => paywall(caller, { productId: product, billingCountryCode: country, currency }),
		[caller.base, caller.key, product, country, currency],
	);
	if (error !== undefined) return <Problem error={error} retry={again} />;
	if (!plans) return <p role="status">{say("loading")}</p>;
	const offered = periodsOf(plans.flatMap(({ prices }) => prices));
	const initial = offered.find(({ billingPeriod }) => billingPeriod === first) ?? offered[0];
	const shown = period ?? initial ?? { billingPeriod: "MONTHLY" };
	return (
		<div class="stack" part="table">
			{offered.length > 1 && (
				<fieldset class="periods" aria-label={say("period")} part="periods">
					{offered.map((one) => (
						<button
							type="button"
							key={keyOf(one)}
							part="period"
							aria-pressed={isPer(one, shown)}
							onClick={() => setPeriod(one)}
						>
							{periodText(words, one, false)}
						</button>
					))}
				</fieldset>
			)}
			<ul class="plans" part="plans">
				{plans.map((plan) => (
					<Plan key={plan.refId} plan={plan} period={shown} choose={choose} />
				))}
			</ul>
		</div>
	);
}

function Plan({
	plan,
	period,
	choose,
}: {
	readonly plan: PricedPlan;
	readonly period: OfPeriod;
	readonly choose: (chosen: Chosen) => void;
}) {
	const { say, number } = useWords();
	const isOwn = new Set(plan.entitlements.map(({ feature }) => feature?.displayName));
	const inherited = plan.inheritedEntitlements.filter(({ feature }) => !isOwn.has(feature?.displayName));
	const brings = [...plan.entitlements, ...inherited];
	/** Returns texts such as "500 GB storage" or "1,000 API calls". */
	const broughtIn = (
		name: string,
		{ usageLimit, isUnlimited, units }: { usageLimit: number | null; isUnlimited: boolean; units: string },
	) => {
		if (isUnlimited) return `${name}: ${say("unlimited")}`;
		if (usageLimit === null) return name;
		const isSaid = name.toLowerCase().includes(units.toLowerCase());
		return `${number(usageLimit)} ${isSaid ? "" : `${units} `}${name}`;
	};
	const isPriced = plan.prices.some((price) => isPer(price, period));
	return (
		<li class="card" part="plan">
			<h3 class="name" part="name">
				{plan.displayName}
			</h3>
			{plan.description && (
				<p class="quiet" part="description">
					{plan.description}
				</p>
			)}
			<Price plan={plan} period={period} />
			<ul class="brings" part="features">
				{brings.map(({ displayNameOverride, feature, usageLimit, hasUnlimitedUsage }, at) => (
					<li key={at}>
						{broughtIn(displayNameOverride ?? feature?.displayName ?? "", {
							usageLimit,
							isUnlimited: hasUnlimitedUsage === true,
							units: feature?.featureUnitsPlural ?? "",
						})}
					</li>
				))}
			</ul>
			<button
				type="button"
				class="main"
				part="choose"
				onClick={() => choose({ planId: plan.refId, ...(isPriced ? requested(period) : { billingPeriod: null }) })}
			>
				{say("choose", { plan: plan.displayName })}
			</button>
		</li>
	);
}

function Price({ plan, period }: { readonly plan: PricedPlan; readonly period: OfPeriod }) {
	const words = useWords();
	const { say, money } = words;
	const prices = plan.prices.filter((one) => one.price && isPer(one, period));
	const flat = prices.find(({ billingModel }) => isModel(billingModel, "FLATFEE"))?.price;
	const units = prices.filter(({ billingModel, feature }) => isModel(billingModel, "PERUNIT") && feature);
	const per = periodText(words, period);
	const first = flat ?? units[0]?.price;
	if (!first)
		return (
			<p class="price" part="price">
				{say(plan.pricingType?.toUpperCase() === "FREE" ? "free" : "onRequest")}
			</p>
		);
	return (
		<div part="price">
			<p>
				<span class="price">{money(first.amount, first.currency)}</span>{" "}
				<span class="quiet">
					{per}
					{flat ? "" : ` ${say("perUnit", { unit: unitOf(units[0]?.feature) })}`}
				</span>
			</p>
			{flat &&
				units.map(
					({ price, feature }) =>
						price && (
							<p class="quiet" key={feature?.displayName}>
								+ {money(price.amount, price.currency)} {say("perUnit", { unit: unitOf(feature) })}
							</p>
						),
				)}
		</div>
	);
}

const unitOf = (feature: PricedPlan["prices"][number]["feature"] | undefined): string =>
	feature?.featureUnits ?? feature?.displayName ?? "";
