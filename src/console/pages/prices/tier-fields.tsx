import type { BillingPeriod } from "../../../areas/pricing/rules.billing-period";
import { periodLabel } from "../../kit/billing-periods";
import { t } from "../../messages/prices/prices";
import { Amount } from "./controls";
import { without } from "./model";
import type { TierRow } from "./open-price";

interface TierFieldsProps {
	readonly periods: readonly BillingPeriod[];
	/** The further currencies that the form shows. */
	readonly currencies: readonly string[];
	readonly tiers: readonly TierRow[];
	readonly onChange: (tiers: readonly TierRow[]) => void;
}

const kinds = [
	{ kind: "each", label: t.tierEach },
	{ kind: "flat", label: t.tierFlat },
] as const;

interface FurtherAmount {
	readonly code: string;
	readonly kind: "each" | "flat";
	readonly period: BillingPeriod;
	readonly amount: number | undefined;
}

/** Returns the amounts in further currencies with another one; a currency without amounts is left out. */
function withAmount({ further }: TierRow, { code, kind, period, amount }: FurtherAmount): TierRow["further"] {
	const { [code]: of = { each: {}, flat: {} }, ...others } = further ?? {};
	const next = { ...of, [kind]: without({ ...of[kind], [period]: amount }) };
	return [next.each, next.flat].some((amounts) => Object.keys(amounts).length > 0)
		? { ...others, [code]: next }
		: others;
}

/** Bounds apply to all periods. The last tier has no upper bound. */
export function TierFields({ periods, currencies, tiers, onChange }: TierFieldsProps) {
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
					{currencies.map((code) =>
						kinds.map(({ kind, label }) =>
							periods.map((period) => (
								<Amount
									key={`${code} ${kind} ${period}`}
									label={t.inCurrency({
										what: label({ period: periodLabel(period) }),
										currency: code.toUpperCase(),
									})}
									value={tier.further?.[code]?.[kind][period]}
									onChange={(amount) => change(at, { further: withAmount(tier, { code, kind, period, amount }) })}
								/>
							)),
						),
					)}
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
