import type { Feature } from "../../../areas/features/schema";
import { type BillingPeriod, eachPeriodOnce } from "../../../areas/pricing/rules.billing-period";
import { prorationModes } from "../../../kernel/schema.proration-mode";
import { periodLabel, periodOptions } from "../../kit/billing-periods";
import { namedOptions, optionsOf } from "../../kit/values";
import { t as packages } from "../../messages/packages";
import { t } from "../../messages/prices/prices";
import { useFeatures } from "../packages/kinds";
import { TaxesChoice } from "../taxes/choice";
import { CommitmentFields } from "./commitment-fields";
import { Amount, Choose, Priced } from "./controls";
import { allowsFurther, furtherOf } from "./currencies";
import { Curve } from "./curve";
import { chargeIntervals } from "./intervals";
import { isChargedByPeriod, periodsFor, without } from "./model";
import { countingModels, type OpenPrice, openModels, usageMeasures } from "./open-price";
import { TierFields } from "./tier-fields";

interface PriceFieldsProps {
	/** The name in the form, for the errors of the API. */
	readonly name: string;
	readonly price: OpenPrice;
	/** The billing periods that the form shows. */
	readonly periods: readonly BillingPeriod[];
	readonly currency: string;
	/** The further currencies that the form shows. */
	readonly currencies: readonly string[];
	/** Undefined removes it. */
	readonly onChange: (price: OpenPrice | undefined) => void;
}

/** A price: its model, feature and tiers, and the amounts of each billing period. */
export function PriceFields({ name, price, periods, currency, currencies, onChange }: PriceFieldsProps) {
	const { features } = useFeatures();
	const { billingModel, featureId, tiersMode, tiers } = price;
	const shown = periodsFor(price, periods);
	const counts = countingModels.has(billingModel);
	const further = allowsFurther(price) ? currencies : [];
	const isInOne = furtherOf(price).length === 0;
	const change = (next: Partial<OpenPrice>) => onChange({ ...price, ...next });
	return (
		<Priced
			legend={[packages[billingModel], price.key].filter(Boolean).join(": ")}
			name={name}
			remove={() => onChange(undefined)}
		>
			<div className="columns">
				<Choose
					label={packages.model}
					value={billingModel}
					options={optionsOf(packages, openModels)}
					onChange={(value) => change({ billingModel: openModels.find((one) => one === value) ?? "FLAT_FEE" })}
				/>
				{counts && (
					<Choose
						label={t.feature}
						value={featureId ?? ""}
						options={[{ value: "", label: t.choose }, ...namedOptions(features.filter(isMeasured))]}
						onChange={(value) =>
							change({
								...{ featureId: value || undefined, usageMeasure: undefined, commitment: undefined },
								...(price.paymentTime === "AT_EVENT" && { paymentTime: undefined, eventInvoicing: undefined }),
							})
						}
					/>
				)}
				{(billingModel === "FLAT_FEE" || billingModel === "PER_UNIT") && (
					<Choose
						label={t.cadence}
						value={price.paymentTime === "IN_ARREARS" ? price.paymentTime : price.billingCadence}
						options={optionsOf(t, ["RECURRING", "IN_ARREARS", "ONE_OFF"])}
						onChange={(value) =>
							change({
								billingCadence: value === "ONE_OFF" ? "ONE_OFF" : "RECURRING",
								paymentTime: value === "IN_ARREARS" ? "IN_ARREARS" : undefined,
							})
						}
					/>
				)}
				{billingModel === "USAGE_BASED" && !isLevel(features, featureId) && (
					<Choose
						label={t.cadence}
						value={timeOf(price)}
						options={optionsOf(t, ["IN_ARREARS", "EACH_EVENT", "PERIOD_END"])}
						onChange={(value) =>
							change({
								paymentTime: value === "IN_ARREARS" ? undefined : "AT_EVENT",
								eventInvoicing: value === "PERIOD_END" ? value : undefined,
							})
						}
					/>
				)}
				{isChargedByPeriod(price) && (
					<Choose
						label={t.prorationMode}
						value={price.prorationMode ?? ""}
						options={[{ value: "", label: t.asPlan }, ...optionsOf(t, prorationModes)]}
						onChange={(value) => change({ prorationMode: prorationModes.find((one) => one === value) })}
					/>
				)}
				{counts && (
					<Choose
						label={t.tiers}
						value={tiersMode ?? ""}
						options={[{ value: "", label: t.noTiers }, ...optionsOf(t, ["GRADUATED", "VOLUME"])]}
						onChange={(value) =>
							change({
								tiersMode: value === "GRADUATED" || value === "VOLUME" ? value : undefined,
								tiers: tiers.length > 0 ? tiers : newTiers(price),
							})
						}
					/>
				)}
				{billingModel === "PER_UNIT" && (
					<>
						<Amount
							label={t.least}
							value={price.minUnitQuantity}
							onChange={(minUnitQuantity) => change({ minUnitQuantity })}
						/>
						<Amount
							label={t.most}
							value={price.maxUnitQuantity}
							onChange={(maxUnitQuantity) => change({ maxUnitQuantity })}
						/>
					</>
				)}
				{billingModel === "USAGE_BASED" && isInOne && (
					<>
						<Amount
							label={t.minimumAmount}
							unit={currency.toUpperCase()}
							value={price.minimumAmount}
							onChange={(minimumAmount) => change({ minimumAmount })}
						/>
						<Amount
							label={t.maximumAmount}
							unit={currency.toUpperCase()}
							value={price.maximumAmount}
							onChange={(maximumAmount) => change({ maximumAmount })}
						/>
					</>
				)}
				{billingModel === "USAGE_BASED" && (
					<Choose
						label={t.chargeInterval}
						value={price.chargeInterval ?? ""}
						options={[{ value: "", label: t.RECURRING }, ...periodOptions(intervalsFor(price))]}
						onChange={(value) => change({ chargeInterval: intervalsFor(price).find((one) => one === value) })}
					/>
				)}
				{billingModel === "USAGE_BASED" && isInOne && !isLevel(features, featureId) && (
					<CommitmentFields commitment={price.commitment} currency={currency} onChange={change} />
				)}
				{billingModel === "USAGE_BASED" && isLevel(features, featureId) && (
					<Choose
						label={t.usageMeasure}
						value={measureOf(price)}
						options={[{ value: "", label: t.asMetered }, ...optionsOf(t, ["TIME_WEIGHTED", "BY_HIGHEST_DAY", "PEAK"])]}
						onChange={(value) => change(measured(value))}
					/>
				)}
				{counts && tiersMode && price.usageMeasure !== "TIME_WEIGHTED" && (
					<Choose
						label={t.unusedFlatPrice}
						value={price.chargesFlatPriceUnused ? "yes" : ""}
						options={[
							{ value: "", label: t.free },
							{ value: "yes", label: t.charged },
						]}
						onChange={(value) => change({ chargesFlatPriceUnused: value === "yes" || undefined })}
					/>
				)}
				<TaxesChoice
					name={`${name}.taxes`}
					inherited={t.asPlan}
					value={price.taxes}
					onChange={(taxes) => change({ taxes })}
				/>
			</div>
			{counts && tiersMode ? (
				<>
					<p className="hint">{t[`${tiersMode}_text`]}</p>
					<TierFields periods={shown} currencies={further} tiers={tiers} onChange={(next) => change({ tiers: next })} />
					<Curve mode={tiersMode} periods={shown} tiers={tiers} currency={currency} />
				</>
			) : (
				<div className="columns">
					{shown.map((period) => (
						<Amount
							key={period}
							label={periodLabel(period)}
							unit={currency.toUpperCase()}
							value={price.amount[period]}
							onChange={(amount) => change({ amount: { ...price.amount, [period]: amount } })}
						/>
					))}
					{further.map((code) =>
						shown.map((period) => (
							<Amount
								key={`${code} ${period}`}
								label={t.inCurrency({ what: periodLabel(period), currency: code.toUpperCase() })}
								unit={code.toUpperCase()}
								value={price.further?.[code]?.[period]}
								onChange={(amount) => change({ further: withAmount(price.further, code, period, amount) })}
							/>
						)),
					)}
				</div>
			)}
		</Priced>
	);
}

/** Returns the amounts with another one; a currency without amounts is left out. */
function withAmount(
	further: OpenPrice["further"],
	code: string,
	period: BillingPeriod,
	amount: number | undefined,
): OpenPrice["further"] {
	const { [code]: of, ...others } = further ?? {};
	const amounts = without({ ...of, [period]: amount });
	return Object.keys(amounts).length > 0 ? { ...others, [code]: amounts } : others;
}

const newTiers = ({ amount }: OpenPrice): OpenPrice["tiers"] => [
	{ upTo: 10, each: amount, flat: {} },
	{ each: {}, flat: {} },
];

/** An interval that the form does not offer stays. */
const intervalsFor = ({ chargeInterval }: OpenPrice): readonly BillingPeriod[] =>
	eachPeriodOnce([...chargeIntervals, ...(chargeInterval ? [chargeInterval] : [])]);

const isLevel = (features: readonly Feature[], featureId: string | undefined): boolean =>
	features.find(({ id }) => id === featureId)?.meterType === "FLUCTUATING";

/** The option of a price of usage: the end of the period, or each event. */
const timeOf = ({ paymentTime, eventInvoicing }: OpenPrice): string =>
	paymentTime === "AT_EVENT" ? (eventInvoicing ?? "EACH_EVENT") : "IN_ARREARS";

/** The option of a price: each day with its highest level is one of its own. */
const measureOf = ({ usageMeasure, prorationMode }: OpenPrice): string =>
	usageMeasure === "TIME_WEIGHTED" && prorationMode === "BY_DAY" ? "BY_HIGHEST_DAY" : (usageMeasure ?? "");

const measured = (option: string): Pick<OpenPrice, "usageMeasure" | "prorationMode" | "chargesFlatPriceUnused"> => ({
	usageMeasure: option === "BY_HIGHEST_DAY" ? "TIME_WEIGHTED" : usageMeasures.find((one) => one === option),
	prorationMode: option === "BY_HIGHEST_DAY" ? "BY_DAY" : undefined,
	chargesFlatPriceUnused: undefined,
});

const isMeasured = ({ featureType, featureStatus }: Feature): boolean =>
	featureType === "NUMBER" && featureStatus !== "SUSPENDED";
