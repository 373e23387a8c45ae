import { useState } from "react";
import { type BillingPeriod, namedPeriods, periodOf } from "../../../areas/pricing/rules.billing-period";
import { periodOptions } from "../../kit/billing-periods";
import { optionsOf } from "../../kit/values";
import { t } from "../../messages/prices/prices";
import { Amount, Choose } from "./controls";

interface AddPeriodProps {
	readonly periods: readonly BillingPeriod[];
	readonly onAdd: (period: BillingPeriod) => void;
}

/** Adds a billing period, by its name or by a number of days or months, for which prices can be entered. */
export function AddPeriod({ periods, onAdd }: AddPeriodProps) {
	const [isCustom, setCustom] = useState(false);
	const [count, setCount] = useState<number>();
	const [unit, setUnit] = useState<"DAY" | "MONTH">("DAY");
	const add = (period: BillingPeriod) => {
		onAdd(period);
		setCustom(false);
	};
	const others = namedPeriods.filter((name) => !periods.includes(name));
	return (
		<div className="columns">
			<Choose
				label={t.addPeriod}
				value={isCustom ? "CUSTOM" : ""}
				options={[{ value: "", label: t.choose }, ...periodOptions(others), ...optionsOf(t, ["CUSTOM"])]}
				onChange={(value) => {
					const named = others.find((name) => name === value);
					if (named) add(named);
					else setCustom(value === "CUSTOM");
				}}
			/>
			{isCustom && (
				<>
					<Amount label={t.periodCount} value={count} onChange={setCount} />
					<Choose
						label={t.periodUnit}
						value={unit}
						options={[
							{ value: "DAY", label: t.days },
							{ value: "MONTH", label: t.months },
						]}
						onChange={(value) => setUnit(value === "MONTH" ? "MONTH" : "DAY")}
					/>
					<button
						type="button"
						disabled={!count || !Number.isInteger(count)}
						onClick={() => count && add(periodOf({ unit, count }))}
					>
						{t.addPeriod}
					</button>
				</>
			)}
		</div>
	);
}
