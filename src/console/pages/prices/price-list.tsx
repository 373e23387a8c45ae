import type { BillingPeriod } from "../../../areas/pricing/rules.billing-period";
import { useForm } from "../../kit/forms/form-state";
import { t } from "../../messages/prices/prices";
import { KeptPrice } from "./kept-price";
import { type EditedPrice, newPrice } from "./model";
import { PriceFields } from "./price-fields";

/** Replaces an element, or removes it with undefined. */
export const replaced = <One,>(list: readonly One[], at: number, next: One | undefined): One[] =>
	list.flatMap((one, index) => (index !== at ? [one] : next ? [next] : []));

interface PriceListProps {
	/** The path in the request, for the errors of the API. */
	readonly name: string;
	readonly prices: readonly EditedPrice[];
	readonly onChange: (prices: readonly EditedPrice[]) => void;
}

/** The prices of a plan, an addon or a phase, with a button that adds one. */
export function PriceList({ name, prices, onChange }: PriceListProps) {
	const { entered } = useForm();
	const periods = entered.periods as readonly BillingPeriod[];
	const currency = String(entered.currency ?? "usd");
	const currencies = (entered.currencies as readonly string[]).filter((code) => code !== currency);
	const change = (at: number, next: EditedPrice | undefined) => onChange(replaced(prices, at, next));
	return (
		<>
			{prices.map((price, at) =>
				"open" in price ? (
					<PriceFields
						// biome-ignore lint/suspicious/noArrayIndexKey: a price is identified by its position.
						key={at}
						name={`${name}.${at}`}
						price={price.open}
						periods={periods}
						currency={currency}
						currencies={currencies}
						onChange={(open) => change(at, open && { open })}
					/>
				) : (
					// biome-ignore lint/suspicious/noArrayIndexKey: as above.
					<KeptPrice key={at} of={price.kept} onRemove={() => change(at, undefined)} />
				),
			)}
			<p className="hint">{t.empty}</p>
			<div>
				<button type="button" onClick={() => onChange([...prices, newPrice])}>
					{t.add}
				</button>
			</div>
		</>
	);
}
