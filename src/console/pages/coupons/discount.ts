import type { Coupon } from "../../../areas/coupons/schema";
import { formatMoney, formatNumber, formatPercent } from "../../kit/format";
import { t } from "../../messages/coupons";

export const discountOf = ({ percentOff, amountsOff }: Coupon): string =>
	percentOff !== null ? formatPercent(percentOff / 100) : (amountsOff ?? []).map(formatMoney).join(" / ");

export const durationOf = ({ durationInMonths }: Coupon): string =>
	durationInMonths === null ? t.forever : t.months({ count: formatNumber(durationInMonths) });
