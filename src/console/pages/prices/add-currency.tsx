import { currencyOptions } from "../../kit/currencies";
import { t } from "../../messages/prices/prices";
import { Choose } from "./controls";

interface AddCurrencyProps {
	readonly shown: readonly string[];
	readonly onAdd: (currency: string) => void;
}

/** Adds a currency in which prices can be entered, next to the main one. */
export const AddCurrency = ({ shown, onAdd }: AddCurrencyProps) => (
	<div className="columns">
		<Choose
			label={t.addCurrency}
			value=""
			options={[{ value: "", label: t.choose }, ...currencyOptions.filter(({ value }) => !shown.includes(value))]}
			onChange={(value) => value && onAdd(value)}
		/>
	</div>
);
