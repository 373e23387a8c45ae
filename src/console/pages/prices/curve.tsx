import type { TiersMode } from "../../../areas/packages/schema";
import type { BillingPeriod } from "../../../areas/pricing/rules.billing-period";
import { periodLabel } from "../../kit/billing-periods";
import { formatCompact, formatMoney } from "../../kit/format";
import { t } from "../../messages/prices/prices";
import type { TierRow } from "./open-price";

const width = 320;
const height = 96;
const stepsCount = 160;

interface CurveProps {
	readonly mode: TiersMode;
	readonly periods: readonly BillingPeriod[];
	readonly tiers: readonly TierRow[];
	readonly currency: string;
}

/** The total of tiers by quantity, as an illustration. The server calculates invoices. */
export function Curve({ mode, periods, tiers, currency }: CurveProps) {
	const period = periods.find((one) => tiers.some(({ each, flat }) => each[one] ?? flat[one]));
	if (!period) return null;
	const most = Math.max(10, ...tiers.map(({ upTo }) => upTo ?? 0)) * 1.5;
	const points = Array.from({ length: stepsCount + 1 }, (_, at) => {
		const quantity = (most * at) / stepsCount;
		return { quantity, total: totalOf(mode, tiers, period, quantity) };
	});
	const top = Math.max(...points.map(({ total }) => total)) || 1;
	const line = points
		.map(
			({ quantity, total }) =>
				`${((quantity / most) * width).toFixed(1)},${(height - (total / top) * height).toFixed(1)}`,
		)
		.join(" ");
	return (
		<figure className="curve">
			<figcaption className="small quiet">{t.curve({ period: periodLabel(period) })}</figcaption>
			<svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
				{tiers.map(({ upTo }) =>
					upTo ? <line key={upTo} x1={(upTo / most) * width} x2={(upTo / most) * width} y1={0} y2={height} /> : null,
				)}
				<polyline points={line} />
			</svg>
			<div className="ends small quiet">
				<span>0</span>
				<span>
					{formatCompact(most)}: {formatMoney({ amount: points.at(-1)?.total ?? 0, currency })}
				</span>
			</div>
		</figure>
	);
}

function totalOf(mode: TiersMode, tiers: readonly TierRow[], period: BillingPeriod, quantity: number): number {
	if (quantity <= 0) return 0;
	const priceOf = ({ each, flat }: TierRow, units: number) => (each[period] ?? 0) * units + (flat[period] ?? 0);
	const bounds = tiers.map(({ upTo }, at) => (at === tiers.length - 1 ? Number.POSITIVE_INFINITY : (upTo ?? 0)));
	if (mode === "VOLUME") {
		const reached = tiers[bounds.findIndex((bound) => quantity <= bound)];
		return reached ? priceOf(reached, quantity) : 0;
	}
	return tiers.reduce((total, tier, at) => {
		const from = bounds[at - 1] ?? 0;
		const units = Math.min(quantity, bounds[at] ?? 0) - from;
		return units > 0 ? total + priceOf(tier, units) : total;
	}, 0);
}
