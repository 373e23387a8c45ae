import type { Charge, PackageCharges } from "../../../areas/packages/charges/schema";
import type { PackageEntitlement } from "../../../areas/packages/entitlements/schema";
import { pricingTypes } from "../../../areas/packages/schema";
import { type BillingPeriod, eachPeriodOnce } from "../../../areas/pricing/rules.billing-period";
import type { BillingAnchor } from "../../../areas/pricing/schema.billing-anchor";
import { prorationModes } from "../../../kernel/schema.proration-mode";
import { anchorOf, BillingDay, enteredOfAnchor } from "../../kit/billing-day";
import { currencyOptions } from "../../kit/currencies";
import { Dialog, DialogButton } from "../../kit/dialog";
import { FormButton } from "../../kit/forms/form-dialog";
import { Input } from "../../kit/forms/form-fields";
import { type Entered, useForm } from "../../kit/forms/form-state";
import { optionsOf } from "../../kit/values";
import { t as packages } from "../../messages/packages";
import { t } from "../../messages/prices/prices";
import { t as taxTexts } from "../../messages/taxes";
import { type OfPackage, pathOf } from "../packages/kinds";
import { TaxesField } from "../taxes/choice";
import { AddCurrency } from "./add-currency";
import { AddPeriod } from "./add-period";
import { furtherCurrencies } from "./currencies";
import { Estimate, mayEstimate } from "./estimate";
import { KeptPrice } from "./kept-price";
import { chargesOf, completeOf, currencyOf, type EditedPrice, editedOf, newPrice, offeredPeriods } from "./model";
import { type EditedOverage, editedOverageOf, overageModelOf } from "./overage";
import { OverageFields } from "./overage-fields";
import { enteredOfPhases, PhaseFields, phasesOf } from "./phases";
import { PriceList, replaced } from "./price-list";
import { enteredOfTerm, TermFields, termOf } from "./term";

interface PriceEditorProps extends OfPackage {
	readonly charges: readonly Charge[];
	/** The prices beyond the limits of `entitlements`. An addon has none. */
	readonly overage: readonly Charge[];
	readonly entitlements: readonly PackageEntitlement[];
}

/** Edits all prices of a draft at once. */
export function PriceEditor({ kind, of, charges, overage, entitlements }: PriceEditorProps) {
	const edited = editedOverageOf(overage, entitlements);
	const title = t.title({ name: of.displayName });
	if (!edited)
		return (
			<DialogButton
				label={t.edit}
				dialog={(opening) => (
					<Dialog {...opening} kind="drawer broad" title={title}>
						<p className="note">{t.overage}</p>
					</Dialog>
				)}
			/>
		);
	return (
		<FormButton
			label={t.edit}
			title={title}
			kind="drawer broad"
			to={["PATCH", pathOf(kind, of.id)]}
			texts={{ ...packages, ...t }}
			initial={{
				pricingType: of.pricingType ?? "PAID",
				prorationMode: of.prorationMode ?? "",
				taxes: of.taxes,
				...enteredOfAnchor(of.billingAnchor),
				phases: enteredOfPhases("phases" in of ? of.phases : []),
				...enteredOfTerm(of.term),
				spendThreshold: thresholdIn(of, currencyOf([...charges, ...overage]))?.amount,
				commitment: commitmentIn(of, currencyOf([...charges, ...overage]))?.amount,
				currency: currencyOf([...charges, ...overage]),
				periods: offeredPeriods(charges),
				currencies: furtherCurrencies(charges, currencyOf([...charges, ...overage])),
				prices: charges.length === 0 ? [newPrice] : editedOf(charges),
				overage: edited,
			}}
			action={t.save}
			body={(entered) => ({ charges: enteredCharges(entered, of) })}
			onDone={() => t.saved}
		>
			<div className="beside">
				<div>
					<div className="columns">
						<Input
							name="pricingType"
							kind="select"
							label={packages.pricing}
							options={optionsOf(packages, pricingTypes)}
						/>
						<Input name="currency" kind="select" options={currencyOptions} />
						<Proration />
						{kind === "PLAN" && <PlanAnchor present={of.billingAnchor} />}
						<VersionTaxes />
						{kind === "PLAN" && <Threshold />}
						{kind === "PLAN" && <CommitmentOfAll />}
					</div>
					<Prices />
					{kind === "PLAN" && <Overage entitlements={entitlements} />}
					{kind === "PLAN" && <PhaseFields />}
					{kind === "PLAN" && <TermFields />}
				</div>
				{mayEstimate() && <LiveInvoice kind={kind} of={of} />}
			</div>
		</FormButton>
	);
}

/** The proration of prices that have no mode of their own. */
const Proration = () =>
	useForm().entered.pricingType === "PAID" && (
		<Input
			name="prorationMode"
			kind="select"
			label={t.prorationMode}
			options={[{ value: "", label: t.asEnvironment }, ...optionsOf(t, prorationModes)]}
		/>
	);

/** The taxes of prices that have none of their own. */
const VersionTaxes = () => useForm().entered.pricingType === "PAID" && <TaxesField inherited={taxTexts.asCustomer} />;

/** The day from which billing periods of subscriptions count that choose no day. */
const PlanAnchor = ({ present }: { readonly present: BillingAnchor | undefined }) =>
	useForm().entered.pricingType === "PAID" && <BillingDay none={t.asCustomerOrEnvironment} present={present} />;

/** The cost of usage in the currency of the prices that is invoiced at once. */
const Threshold = () =>
	useForm().entered.pricingType === "PAID" && (
		<Input name="spendThreshold" kind="number" label={t.spendThreshold} hint={t.spendThresholdHint} />
	);

const thresholdIn = ({ spendThresholds = [] }: Thresholds, of: string) =>
	spendThresholds.find(({ currency }) => currency === of);

/** Thresholds in other currencies than that of the form stay. */
function thresholdsOf({ spendThresholds = [] }: Thresholds, { spendThreshold, currency }: Entered) {
	const others = spendThresholds.filter((one) => one.currency !== currency);
	const all = [...others, ...(spendThreshold ? [{ currency: String(currency), amount: Number(spendThreshold) }] : [])];
	return all.length > 0 ? all : undefined;
}

type Thresholds = Pick<PackageCharges, "spendThresholds">;

/** The amount that all charges owe in each billing period, in the currency of the prices. */
const CommitmentOfAll = () =>
	useForm().entered.pricingType === "PAID" && (
		<Input name="commitment" kind="number" label={t.commitmentOfAll} hint={t.commitmentOfAllHint} />
	);

const commitmentIn = ({ commitments = [] }: Commitments, of: string) =>
	commitments.find(({ currency, scope = "ALL" }) => currency === of && scope === "ALL");

/** Commitments in other currencies, and those of usage alone, stay. So do the rules of the one that the form shows. */
function commitmentsOf({ commitments = [] }: Commitments, { commitment, currency }: Entered) {
	const present = commitmentIn({ commitments }, String(currency));
	const others = commitments.filter((one) => one !== present);
	const amount = Number(commitment);
	const all = [...others, ...(commitment ? [{ ...present, currency: String(currency), amount }] : [])];
	return all.length > 0 ? all : undefined;
}

type Commitments = Pick<PackageCharges, "commitments">;

function enteredCharges(entered: Entered, of: OfPackage["of"]): PackageCharges {
	const { pricingType, prorationMode, taxes, prices, overage, currency } = entered;
	const models = (overage as readonly EditedOverage[]).map((one) => overageModelOf(one, String(currency)));
	return chargesOf(
		{
			pricingType: pricingType as PackageCharges["pricingType"],
			prorationMode: prorationModes.find((one) => one === prorationMode),
			taxes: taxes as readonly string[] | null | undefined,
			...anchorOf(entered, of.billingAnchor),
			spendThresholds: thresholdsOf(of, entered),
			commitments: commitmentsOf(of, entered),
			...phasesOf(entered.phases, String(currency)),
			...termOf(entered),
		},
		prices as readonly EditedPrice[],
		models,
		String(currency),
	);
}

/** The invoice that the server calculates for the values entered so far. */
function LiveInvoice({ kind, of }: OfPackage) {
	const pricing = completeOf(enteredCharges(useForm().entered, of));
	return (
		<aside aria-label={t.estimate}>
			<h3>{t.estimate}</h3>
			<Estimate
				kind={kind}
				of={of}
				models={pricing?.pricingModels ?? []}
				overage={pricing?.overagePricingModels ?? []}
				pricing={pricing}
			/>
		</aside>
	);
}

function Prices() {
	const { entered, set } = useForm();
	const periods = entered.periods as readonly BillingPeriod[];
	const currency = String(entered.currency ?? "usd");
	const currencies = (entered.currencies as readonly string[]).filter((code) => code !== currency);
	if (entered.pricingType === "FREE") return null;
	return (
		<>
			<PriceList
				name="charges.pricingModels"
				prices={entered.prices as readonly EditedPrice[]}
				onChange={(prices) => set("prices", prices)}
			/>
			<AddPeriod periods={periods} onAdd={(period) => set("periods", eachPeriodOnce([...periods, period]))} />
			<AddCurrency shown={[currency, ...currencies]} onAdd={(code) => set("currencies", [...currencies, code])} />
		</>
	);
}

function Overage({ entitlements }: Pick<PriceEditorProps, "entitlements">) {
	const { entered, set } = useForm();
	const overage = entered.overage as readonly EditedOverage[];
	if (entered.pricingType === "FREE") return null;
	const change = (at: number, next: EditedOverage | undefined) => set("overage", replaced(overage, at, next));
	return (
		<>
			<h3>{packages.overage}</h3>
			<p className="hint">{t.overageText}</p>
			{overage.map((one, at) =>
				"open" in one ? (
					<OverageFields
						// biome-ignore lint/suspicious/noArrayIndexKey: overage is identified by its position.
						key={at}
						name={`charges.overagePricingModels.${at}`}
						overage={one.open}
						entitlements={entitlements}
						currency={String(entered.currency ?? "usd")}
						onChange={(open) => change(at, open && { open })}
					/>
				) : (
					// biome-ignore lint/suspicious/noArrayIndexKey: as above.
					<KeptPrice key={at} of={one.kept} onRemove={() => change(at, undefined)} />
				),
			)}
			<div>
				<button type="button" onClick={() => set("overage", [...overage, { open: {} }])}>
					{t.addOverage}
				</button>
			</div>
		</>
	);
}
