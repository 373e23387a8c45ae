import { useState } from "react";
import type { Charge, PackageCharges } from "../../../areas/packages/charges/schema";
import { pricingTypes } from "../../../areas/packages/schema";
import { send } from "../../api";
import { currencyOptions } from "../../kit/currencies";
import { Dialog } from "../../kit/dialog";
import { type Entered, Form, SelectField, useForm } from "../../kit/form";
import { toast } from "../../kit/toasts";
import { t as buttons } from "../../messages/buttons";
import { fill } from "../../messages/language";
import { t as packages } from "../../messages/packages";
import { t } from "../../messages/prices";
import { type OfPackage, pathOf } from "../packages/kinds";
import { useFeatures } from "../packages/names";
import { chargedFor, priceText } from "../packages/price-text";
import { Estimate, mayEstimate } from "./estimate";
import { chargesOf, completeOf, currencyOf, type EditedPrice, editedOf, newPrice } from "./model";
import { PriceFields } from "./price-fields";

interface PriceEditorProps extends OfPackage {
	readonly charges: readonly Charge[];
	/** What the form would not send back. */
	readonly hasOverage: boolean;
}

/** Sets the prices of a draft, all at once. */
export function PriceEditor({ kind, of, charges, hasOverage }: PriceEditorProps) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>
				{t.edit}
			</button>
			<Dialog kind="drawer broad" title={fill(t.title, { name: of.displayName })} isOpen={isOpen} onClose={close}>
				{hasOverage ? (
					<p className="note">{t.overage}</p>
				) : (
					<Form
						initial={{
							pricingType: of.pricingType ?? "PAID",
							currency: currencyOf(charges),
							prices: charges.length === 0 ? [newPrice] : editedOf(charges),
						}}
						action={buttons.save}
						submit={(entered) => send("PATCH", pathOf(kind, of.id), { charges: enteredCharges(entered) })}
						onCancel={close}
						onDone={() => {
							close();
							toast(t.saved);
						}}
					>
						<div className="beside">
							<div>
								<div className="columns">
									<SelectField
										name="pricingType"
										label={packages.pricing}
										options={pricingTypes.map((value) => ({ value, label: packages[value] }))}
									/>
									<SelectField name="currency" label={t.currency} options={currencyOptions} />
								</div>
								<Prices />
							</div>
							{mayEstimate() && <LiveInvoice kind={kind} of={of} />}
						</div>
					</Form>
				)}
			</Dialog>
		</>
	);
}

const enteredCharges = ({ pricingType, prices, currency }: Entered): PackageCharges =>
	chargesOf(pricingType as PackageCharges["pricingType"], prices as readonly EditedPrice[], String(currency));

/** What is entered so far, as the server would invoice it. */
function LiveInvoice({ kind, of }: OfPackage) {
	const pricing = completeOf(enteredCharges(useForm().entered));
	return (
		<aside aria-label={t.estimate}>
			<h3>{t.estimate}</h3>
			<Estimate kind={kind} of={of} models={pricing?.pricingModels ?? []} pricing={pricing} />
		</aside>
	);
}

function Prices() {
	const { entered, set } = useForm();
	const { nameOf } = useFeatures();
	const prices = entered.prices as readonly EditedPrice[];
	if (entered.pricingType === "FREE") return null;
	const change = (at: number, next: EditedPrice | undefined) =>
		set(
			"prices",
			prices.flatMap((one, index) => (index !== at ? [one] : next ? [next] : [])),
		);
	return (
		<>
			{prices.map((price, at) =>
				"open" in price ? (
					<PriceFields
						// biome-ignore lint/suspicious/noArrayIndexKey: a price has no name of its own.
						key={at}
						price={price.open}
						currency={String(entered.currency ?? "usd")}
						onChange={(open) => change(at, open && { open })}
					/>
				) : (
					// biome-ignore lint/suspicious/noArrayIndexKey: as above.
					<div key={at} className="price">
						{price.kept.pricePeriods.map((period) => (
							<p key={`${period.billingPeriod} ${period.billingCountryCode}`}>
								<span className="strong">{chargedFor(price.kept, nameOf)}</span>{" "}
								{priceText({ ...price.kept, ...period } as unknown as Charge)}
							</p>
						))}
						<p className="quiet small">{t.kept}</p>
						<button type="button" className="small" onClick={() => change(at, undefined)}>
							{t.remove}
						</button>
					</div>
				),
			)}
			<p className="hint">{t.empty}</p>
			<div>
				<button type="button" onClick={() => set("prices", [...prices, newPrice])}>
					{t.add}
				</button>
			</div>
		</>
	);
}
