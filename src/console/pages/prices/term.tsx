import type { PackageCharges } from "../../../areas/packages/charges/schema";
import type { TermShown } from "../../../areas/pricing/schema.term";
import { formatNumber } from "../../kit/format";
import { PartError } from "../../kit/forms/fields";
import { Input } from "../../kit/forms/form-fields";
import { type Entered, useForm } from "../../kit/forms/form-state";
import { optionsOf } from "../../kit/values";
import { t } from "../../messages/prices/terms";

const earlyCancellations = ["AT_TERM_END", "PAY_REMAINDER", "ALLOWED"] as const;
const renewals = ["renewed", "ended"] as const;

/** Returns the fields of the form for a term. */
export const enteredOfTerm = (term: TermShown | undefined) => ({
	termMonths: term?.months,
	termRenewal: term?.autoRenew === false ? "ended" : "renewed",
	renewalMonths: term && term.renewalMonths !== term.months ? term.renewalMonths : undefined,
	noticePeriodDays: term?.noticePeriodDays || undefined,
	upliftPercentage: term?.upliftPercentage || undefined,
	upliftsUsage: term?.upliftsUsage ?? false,
	earlyCancellation: term?.earlyCancellation ?? "AT_TERM_END",
});

/** Returns the body of the API; nothing without months. */
export function termOf(entered: Entered): Pick<PackageCharges, "term"> {
	const { termMonths, termRenewal, renewalMonths, noticePeriodDays, upliftPercentage, upliftsUsage } = entered;
	if (!termMonths) return {};
	const early = earlyCancellations.find((one) => one === entered.earlyCancellation);
	const number = (value: unknown) => (value === undefined || value === "" ? undefined : Number(value));
	const [months, notice, uplift] = [renewalMonths, noticePeriodDays, upliftPercentage].map(number);
	const renewal = {
		...(months !== undefined && { renewalMonths: months }),
		...(notice !== undefined && { noticePeriodDays: notice }),
		...(uplift !== undefined && { upliftPercentage: uplift }),
		...(upliftsUsage === true && { upliftsUsage }),
	};
	return {
		term: {
			months: Number(termMonths),
			...(termRenewal === "ended" ? { autoRenew: false } : renewal),
			...(early && { earlyCancellation: early }),
		},
	};
}

/** The term of a plan, in its simplest form: its months. Further fields show once there is a term. */
export const TermFields = () =>
	useForm().entered.pricingType === "PAID" && (
		<>
			<h3>{t.term}</h3>
			<p className="hint">{t.termText}</p>
			<TermInputs />
			<PartError name="charges.term" />
		</>
	);

/** The fields of a term. */
export function TermInputs() {
	const { termMonths, termRenewal } = useForm().entered;
	return (
		<div className="columns">
			<Input name="termMonths" kind="integer" label={t.termMonths} hint={t.termMonthsHint} />
			{termMonths !== undefined && termMonths !== "" && (
				<>
					<Input
						name="earlyCancellation"
						kind="select"
						label={t.earlyCancellation}
						options={optionsOf(t, earlyCancellations)}
					/>
					<Input name="termRenewal" kind="select" label={t.termRenewal} options={optionsOf(t, renewals)} />
					{termRenewal === "renewed" && (
						<>
							<Input name="noticePeriodDays" kind="integer" label={t.noticePeriodDays} hint={t.noticePeriodDaysHint} />
							<Input name="upliftPercentage" kind="number" label={t.upliftPercentage} hint={t.upliftPercentageHint} />
							<Input name="renewalMonths" kind="integer" label={t.renewalMonths} hint={t.renewalMonthsHint} />
							<Input name="upliftsUsage" kind="checkbox" label={t.upliftsUsage} />
						</>
					)}
				</>
			)}
		</div>
	);
}

/** Returns a term as one line; undefined without one. */
export const termText = (term: TermShown | null | undefined): string | undefined =>
	term
		? [
				t.monthsText({ months: formatNumber(term.months) }),
				term.autoRenew
					? t.renewedBy({ months: formatNumber(term.renewalMonths), percent: formatNumber(term.upliftPercentage) })
					: t.ended,
				t[term.earlyCancellation],
			].join(", ")
		: undefined;
