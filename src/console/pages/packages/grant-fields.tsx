import type { Feature } from "../../../areas/features/schema";
import { CheckboxField, type Entered, Field, NumberField, SelectField, useForm } from "../../kit/form";
import { t } from "../../messages/packages";

export const resetPeriods = ["YEAR", "MONTH", "WEEK", "DAY", "HOUR"] as const;
const cadences = ["MONTH", "YEAR"] as const;

const options = <Value extends keyof typeof t>(values: readonly Value[]) =>
	values.map((value) => ({ value, label: t[value] }));

/** How much of credits, or of a feature by its kind. */
export function GrantFields({ feature }: { readonly feature: Feature | undefined }) {
	const { entered } = useForm();
	if (!feature)
		return (
			<div className="columns">
				<NumberField name="amount" label={t.amount} isRequired />
				<SelectField name="cadence" label={t.cadence} options={options(cadences)} />
			</div>
		);
	if (feature.featureType === "ENUM") return <Values feature={feature} />;
	if (feature.featureType !== "NUMBER") return null;
	return (
		<>
			<CheckboxField name="hasUnlimitedUsage" label={t.hasUnlimitedUsage} />
			{entered.hasUnlimitedUsage !== true && (
				<>
					<NumberField
						name="usageLimit"
						label={t.limit}
						isRequired
						{...(feature.featureUnitsPlural && { unit: feature.featureUnitsPlural })}
					/>
					<CheckboxField name="hasSoftLimit" label={t.hasSoftLimit} />
				</>
			)}
			{feature.meterType === "INCREMENTAL" && (
				<SelectField name="resetPeriod" label={t.resets} none={t.neverResets} options={options(resetPeriods)} />
			)}
		</>
	);
}

function Values({ feature }: { readonly feature: Feature }) {
	const { entered, set } = useForm();
	const chosen = Array.isArray(entered.enumValues) ? entered.enumValues : [];
	return (
		<Field name="enumValues" label={t.values}>
			{() => (
				<div className="options">
					{feature.enumConfiguration?.map(({ value, displayName }) => (
						<label key={value} className="with-unit">
							<input
								type="checkbox"
								checked={chosen.includes(value)}
								onChange={({ target }) =>
									set("enumValues", target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
								}
							/>
							{displayName}
						</label>
					))}
				</div>
			)}
		</Field>
	);
}

/** What belongs to another kind is not sent. */
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
