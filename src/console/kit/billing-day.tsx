import type { BillingAnchor } from "../../areas/pricing/schema.billing-anchor";
import { t } from "../messages/billing-day";
import { Fields } from "./forms/form-fields";
import type { Entered } from "./forms/form-state";
import { optionsOf } from "./values";

const offered = ["CUSTOMER", "SUBSCRIPTION_START", "START_OF_THE_MONTH", "CALENDAR", "DAY"] as const;

interface BillingDayProps {
	/** The text for no anchor of its own. */
	readonly none: string;
	/** The present anchor. Its other parts stay while its type stays. */
	readonly present?: BillingAnchor | undefined;
}

/** The day from which billing periods count: the fields `anchorType` and `anchorDay` of the form. */
export function BillingDay({ none, present }: BillingDayProps) {
	const types = present?.type === "DATE" ? [...offered, "DATE" as const] : offered;
	const isOfMonth = ({ anchorType }: Entered) => anchorType === "DAY" && present?.dayOfWeek === undefined;
	return (
		<Fields
			of={[
				{ name: "anchorType", kind: "select", label: t.billingDay, none, options: optionsOf(t, types) },
				{ name: "anchorDay", kind: "integer", label: t.dayOfMonth, isRequired: true, when: isOfMonth },
			]}
		/>
	);
}

/** Returns the fields of the form for an anchor. */
export const enteredOfAnchor = (anchor: BillingAnchor | undefined): Entered => ({
	anchorType: anchor?.type ?? "",
	anchorDay: anchor?.dayOfMonth,
});

/** Returns the body of the API; nothing without a chosen type. */
export function anchorOf(
	{ anchorType, anchorDay }: Entered,
	present?: BillingAnchor,
): { billingAnchor?: BillingAnchor } {
	const type = [...offered, "DATE" as const].find((one) => one === anchorType);
	if (!type) return {};
	const kept = present?.type === type ? present : { type };
	return {
		billingAnchor: { ...kept, ...(type === "DAY" && anchorDay ? { dayOfMonth: Number(anchorDay) } : {}) },
	};
}
