import { exact } from "../../../../kernel/decimal";
import { currencyOfCharge } from "../../../pricing/models/charge";
import { chargeOfSegment } from "../../../pricing/models/segmented-charge";
import type { ChargeItem } from "../../../pricing/rate";
import { type SegmentedUsage, segmentText } from "../../../pricing/segment-cost";
import { adjustmentOfWindow } from "../../../pricing/window-cost";
import { worded, wordedAround } from "../../../pricing/wording";

/**
 * Returns the items of usage that is divided into segments: one for each segment with new usage, and one that brings their sum to
 * the minimum or maximum of the window. Beyond the limit of lines, one item charges all segments.
 */
export function segmentItems(item: ChargeItem, { lines, count }: SegmentedUsage): ChargeItem[] {
	if (!lines) {
		const isMore = exact(item.quantity).gt(exact(item.billed ?? "0"));
		const named = worded({ codes: ["groups"], of: `${item.description}: ${count}` });
		return isMore ? [{ ...item, ...named, groups: count }] : [];
	}
	const { window: _, ...priced } = item;
	const own = lines
		.filter(({ quantity, billed }) => exact(quantity).gt(exact(billed)))
		.map(({ quantity, billed, ...segment }): ChargeItem => {
			const name = segmentText(segment);
			const description = name === "" ? item.description : `${item.description}: ${name}`;
			return { ...priced, charge: chargeOfSegment(item.charge, segment), segment, quantity, billed, description };
		});
	return [...own, ...adjustmentItems(item)];
}

function adjustmentItems(item: ChargeItem): ChargeItem[] {
	const currency = currencyOfCharge(item.charge);
	const adjustment = currency === undefined ? exact(0) : adjustmentOfWindow(item, currency);
	if (adjustment.eq(0)) return [];
	const code = item.window?.minimum === undefined ? "maximumAmount" : "boundedAmount";
	return [{ ...item, ...wordedAround(code, item), adjusts: true }];
}
