import type { BillingPeriod } from "../../../areas/pricing/rules.billing-period";
import { periodLabel } from "../../kit/billing-periods";
import { t } from "../../messages/prices";
import { Amount } from "./controls";
import type { TierRow } from "./model";

interface TierFieldsProps {
	readonly periods: readonly BillingPeriod[];
	readonly tiers: readonly TierRow[];
	readonly onChange: (tiers: readonly TierRow[]) => void;
}

/** Bounds apply to all periods. The last tier has no upper bound. */
export function TierFields({ periods, tiers, onChange }: TierFieldsProps) {
	const change = (at: number, next: Partial<TierRow>) =>
		onChange(tiers.map((tier, index) => (index === at ? { ...tier, ...next } : tier)));
	const last = tiers.length - 1;
	const add = () => {
		const least = (tiers[last - 1]?.upTo ?? 0) * 2 || 10;
		onChange([...tiers.slice(0, last), { upTo: least, each: {}, flat: {} }, ...tiers.slice(last)]);
	};
	return (
		<>
			{tiers.map((tier, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a tier is identified by its position.
				<div key={at} className="tier">
					{at < last ? (
						<Amount label={t.upTo} value={tier.upTo} onChange={(upTo) => change(at, { upTo })} />
					) : (
						<p className="quiet">{t.beyond}</p>
					)}
					{periods.map((period) => (
						<Amount
							key={period}
							label={t.tierEach({ period: periodLabel(period) })}
							value={tier.each[period]}
							onChange={(each) => change(at, { each: { ...tier.each, [period]: each } })}
						/>
					))}
					{periods.map((period) => (
						<Amount
							key={period}
							label={t.tierFlat({ period: periodLabel(period) })}
							value={tier.flat[period]}
							onChange={(flat) => change(at, { flat: { ...tier.flat, [period]: flat } })}
						/>
					))}
					{tiers.length > 1 && (
						<button
							type="button"
							className="bare small"
							aria-label={`${t.remove}: ${at + 1}`}
							onClick={() => onChange(tiers.filter((_, index) => index !== at))}
						>
							{t.remove}
						</button>
					)}
				</div>
			))}
			<div>
				<button type="button" className="small" onClick={add}>
					{t.addTier}
				</button>
			</div>
		</>
	);
}
