import type { Charge, OveragePricingModel, PricingModel } from "../../../areas/packages/charges/schema";
import { shownPeriod } from "../../../areas/pricing/rules.billing-period";
import { t } from "../../messages/prices/prices";
import { useFeatures } from "../packages/kinds";
import { chargedFor, priceText } from "../packages/price-text";
import { currencyOfPeriod } from "./currencies";

interface KeptPriceProps {
	readonly of: PricingModel | OveragePricingModel;
	readonly onRemove: () => void;
}

/** A price that the form cannot edit. It stays unchanged or is removed. */
export function KeptPrice({ of, onRemove }: KeptPriceProps) {
	const { nameOf } = useFeatures();
	const charge = of as unknown as Charge;
	return (
		<div className="price">
			{of.pricePeriods.map((period) => (
				<p key={`${shownPeriod(period)} ${period.billingCountryCode} ${currencyOfPeriod(period)}`}>
					<span className="strong">{chargedFor(charge, nameOf)}</span>{" "}
					{priceText({ ...charge, ...period } as unknown as Charge)}
				</p>
			))}
			<p className="quiet small">{t.kept}</p>
			<button type="button" className="small" onClick={onRemove}>
				{t.remove}
			</button>
		</div>
	);
}
