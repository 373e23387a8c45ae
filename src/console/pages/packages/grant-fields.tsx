import type { Feature } from "../../../areas/features/schema";
import { Input } from "../../kit/forms/form-fields";
import { type Entered, useForm } from "../../kit/forms/form-state";
import { CheckList } from "../../kit/forms/list-fields";
import { optionsOf } from "../../kit/values";
import { t } from "../../messages/packages";

export const resetPeriods = ["YEAR", "MONTH", "WEEK", "DAY", "HOUR"] as const;
const cadences = ["MONTH", "YEAR"] as const;

/** The fields of a grant of credits, or of a feature by its type. */
export function GrantFields({ feature }: { readonly feature: Feature | undefined }) {
	const { entered } = useForm();
	if (!feature)
		return (
			<div className="columns">
				<Input name="amount" kind="number" isRequired />
				<Input name="cadence" kind="select" options={optionsOf(t, cadences)} />
			</div>
		);
	if (feature.featureType === "ENUM") return <Values feature={feature} />;
	if (feature.featureType !== "NUMBER") return null;
	const isLimited = entered.hasUnlimitedUsage !== true;
	const unit = feature.featureUnitsPlural ?? undefined;
	const periods = optionsOf(t, resetPeriods);
	return (
		<>
			<Input name="hasUnlimitedUsage" kind="checkbox" />
			{isLimited && <Input name="usageLimit" kind="number" label={t.limit} isRequired unit={unit} />}
			{isLimited && <Input name="hasSoftLimit" kind="checkbox" />}
			{feature.meterType === "INCREMENTAL" && (
				<Input name="resetPeriod" kind="select" label={t.resets} none={t.neverResets} options={periods} />
			)}
		</>
	);
}

function Values({ feature }: { readonly feature: Feature }) {
	const { entered, set } = useForm();
	return (
		<CheckList
			name="enumValues"
			legend={t.values}
			options={(feature.enumConfiguration ?? []).map(({ value, displayName }) => ({ value, label: displayName }))}
			chosen={(entered.enumValues ?? []) as readonly string[]}
			onChange={(chosen) => set("enumValues", chosen)}
		/>
	);
}

/** Leaves out the values of other types. */
export function grantOf(entered: Entered, feature: Feature | undefined): Record<string, unknown> {
	const { amount, cadence, enumValues, usageLimit, hasUnlimitedUsage, hasSoftLimit, resetPeriod } = entered;
	if (!feature) return { type: "CREDIT", amount, cadence };
	if (feature.featureType === "ENUM") return { type: "FEATURE", enumValues };
	if (feature.featureType !== "NUMBER") return { type: "FEATURE" };
	return {
		type: "FEATURE",
		...(hasUnlimitedUsage === true
			? { hasUnlimitedUsage, usageLimit: null, hasSoftLimit: false }
			: { hasUnlimitedUsage: false, usageLimit, hasSoftLimit: hasSoftLimit === true }),
		...(resetPeriod ? { resetPeriod } : {}),
	};
}
