import { useState } from "react";
import type { Customer } from "../../../areas/customers/schema";
import type { OveragePricingModel, PackageCharges, PricingModel } from "../../../areas/packages/charges/schema";
import type { Plan } from "../../../areas/plans/schema";
import { viewBillingPeriod } from "../../../areas/pricing/rules.billing-period";
import { withQuery } from "../../api";
import { periodOptions } from "../../kit/billing-periods";
import { useOne } from "../../kit/list";
import { namedOptions } from "../../kit/values";
import { t } from "../../messages/prices/prices";
import { may } from "../../session";
import { type OfPackage, pathOf, useFeatures } from "../packages/kinds";
import { Preview } from "../subscriptions/preview";
import { Choose, Slider } from "./controls";
import { type Counted, countedOf, countriesOf, currenciesOf, soldBy } from "./counted";

const shownMax = 100;

/** The slider of an addon without a maximum. */
const addonsMax = 20;

interface EstimateProps extends OfPackage {
	readonly models: readonly PricingModel[];
	readonly overage: readonly OveragePricingModel[];
	/** The prices to preview instead of those of the draft. */
	readonly pricing?: PackageCharges | undefined;
}

export const mayEstimate = (): boolean => may("SUBSCRIPTION:READ") && may("CUSTOMER:READ");

/** Sliders for quantities and usage, and the invoice that the server calculates for them. */
export function Estimate({ kind, of, models, overage, pricing }: EstimateProps) {
	const { data: customers } = useOne<readonly Customer[]>(`/customers?limit=${shownMax}`);
	const plans = usePlansWith(kind === "ADDON" ? of : undefined);
	const [customerId, chooseCustomer] = useState<string>();
	const [chosenPeriod, choosePeriod] = useState<string>();
	const [country, chooseCountry] = useState("");
	const [currency, chooseCurrency] = useState("");
	const [chosenPlan, choosePlan] = useState<string>();
	const [quantities, setQuantities] = useState<Readonly<Record<string, number>>>({});
	const { nameOf } = useFeatures();
	const periods = soldBy(models);
	const period = periods.find((one) => one === chosenPeriod) ?? periods[0];
	const counted = countedOf(models, overage, period);
	const countries = countriesOf(models);
	const currencies = currenciesOf(models);
	const planId = kind === "PLAN" ? of.id : (chosenPlan ?? plans?.[0]?.id);
	const quantityOf = ({ id, usual }: Counted) => quantities[id] ?? usual;
	const slider = (one: Counted, label: string) => (
		<Slider
			key={one.id}
			label={label}
			{...one}
			value={quantityOf(one)}
			onChange={(value) => setQuantities({ ...quantities, [one.id]: value })}
		/>
	);
	const howMany: Counted = {
		id: "",
		isUsage: false,
		least: 1,
		most: ("maxQuantity" in of && of.maxQuantity) || addonsMax,
		usual: 1,
	};
	if (kind === "ADDON" && plans?.length === 0) return <p className="quiet">{t.noPlan}</p>;
	const isFree = pricing?.pricingType === "FREE" || of.pricingType === "FREE";
	const isComplete = planId && (models.length > 0 || isFree);
	const bought = (isUsage: boolean) => counted.filter((one) => one.isUsage === isUsage);
	const sale = {
		...(customerId && { customerId }),
		...(period && viewBillingPeriod(period)),
		...(country && { billingCountryCode: country }),
		...(currencies.includes(currency) && { billingCurrency: currency }),
		charges: bought(false).map((one) => ({ id: one.id, type: "FEATURE", quantity: quantityOf(one) })),
		billableFeatures: bought(true).map((one) => ({ featureId: one.id, quantity: quantityOf(one) })),
		...(of.status === "DRAFT" && { draft: { ...(pricing && { pricing }) } }),
		...(kind === "ADDON" && { planId, quantity: quantityOf(howMany) }),
	};
	return (
		<div className="estimate">
			<div className="sliders">
				<div className="columns">
					<Choose
						label={t.customer}
						value={customerId ?? ""}
						options={[
							{ value: "", label: t.someoneNew },
							...(customers ?? []).map(({ id, name }) => ({ value: id, label: name ?? id })),
						]}
						onChange={(id) => chooseCustomer(id || undefined)}
					/>
					{kind === "ADDON" && (
						<Choose label={t.withPlan} value={planId ?? ""} options={namedOptions(plans)} onChange={choosePlan} />
					)}
					{periods.length > 1 && (
						<Choose label={t.period} value={period ?? ""} options={periodOptions(periods)} onChange={choosePeriod} />
					)}
					{countries.length > 0 && (
						<Choose
							label={t.country}
							value={country}
							options={[{ value: "", label: t.elsewhere }, ...countries.map((value) => ({ value, label: value }))]}
							onChange={chooseCountry}
						/>
					)}
					{currencies.length > 1 && (
						<Choose
							label={t.currency}
							value={currency}
							options={[
								{ value: "", label: t.asCustomer },
								...currencies.map((value) => ({ value, label: value.toUpperCase() })),
							]}
							onChange={chooseCurrency}
						/>
					)}
				</div>
				{kind === "ADDON" && howMany.most > 1 && slider(howMany, t.howMany)}
				{counted.map((one) => slider(one, one.isUsage ? t.used({ name: nameOf(one.id) }) : nameOf(one.id)))}
			</div>
			<Preview
				path={`${pathOf(kind, of.id)}/preview`}
				of={isComplete ? sale : undefined}
				asOf={pricing ? undefined : [models, overage]}
				first={t.noPrices}
			/>
		</div>
	);
}

/** Returns the plans on sale that the addon is compatible with; undefined until they are loaded. */
function usePlansWith(addon: OfPackage["of"] | undefined): readonly Plan[] | undefined {
	const { data } = useOne<readonly Plan[]>(
		addon && withQuery("/plans", { productId: addon.productId, status: "PUBLISHED", limit: shownMax }),
	);
	return data?.filter(
		({ compatibleAddonIds: fitting, pricingType }) =>
			pricingType === "PAID" && (fitting === null || fitting.includes(addon?.id ?? "")),
	);
}
