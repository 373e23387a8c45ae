import type { ContractItem } from "../../../areas/contracts/billing/schema";
import { formatNumber, formatPrice } from "../../kit/format";
import { t } from "../../messages/contract-items";

/** "60 × US$10.00", "0–50: US$10.00, from 50: US$9.00". */
export function rowsText({ pricingModelId, rows }: ContractItem, currency: string): string {
	const price = (amount: number | null) => formatPrice({ amount: amount ?? 0, currency });
	const model = pricingModelId.replace("usage-", "");
	if (model === "flat" || model === "package")
		return rows
			.map((row) => {
				const each =
					model === "package"
						? t.perPackage({ price: price(row.price), size: formatNumber(row.packageSize) })
						: price(row.price);
				return row.quantity === null || row.quantity === 1 ? each : `${formatNumber(row.quantity)} × ${each}`;
			})
			.join(", ");
	const [first] = rows;
	const committed = first?.quantity === null || !first ? "" : `${formatNumber(first.quantity)} × `;
	const tiers = rows.map((row) =>
		row.to === null
			? t.fromOn({ from: formatNumber(row.from ?? 0), price: price(row.price) })
			: `${formatNumber(row.from ?? 0)}–${formatNumber(row.to)}: ${price(row.price)}`,
	);
	return `${committed}${tiers.join(", ")}`;
}

export const cycleText = ({ billingCycleUnit, billingCycleCount }: ContractItem): string =>
	billingCycleCount === 1
		? t[billingCycleUnit]
		: t.every({ count: billingCycleCount, unit: t[`unit_${billingCycleUnit}`] });
