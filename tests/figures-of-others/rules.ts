/** The rules of ours that cause a difference, by the key that a scenario names. Each is a cell of the document. */
export const rules: Readonly<Record<string, string>> = {
	FIRST_DAY:
		"A day of the month without a `month` counts from the first such day at or after the start ([anchors](pricing.md#a-chosen-billing-day)). Kill Bill counts one whole period from that day in the month of the start. With `month`, both agree.",
	BOUNDARIES:
		"The whole of a part is the period between two boundaries of the anchor: 31 January to 28 February has 28 days. Kill Bill goes back one calendar period from 28 February, to 28 January.",
	MONTH_OF_30_DAYS:
		"Months that count alike have 30 days ([parts](pricing.md#parts-of-a-period)), and no other number.",
	END_CREDITS:
		"The start of a period charges all of it. An end credits the unused part at its date, also if it was announced before. The sum is the same.",
	PAUSE_KEEPS_CYCLE:
		"A resumption charges the rest of the period that runs ([pauses](pricing.md#a-pause-in-summer)). Kill Bill begins a new year with the month of the resumption.",
	PLAN_KEEPS_CYCLE:
		"A plan of the same billing period continues the paid period to its end ([changes](billing.md#periods)). Kill Bill begins a new year with the month of the change.",
	ANCHOR_CARRIES_OVER:
		"A chosen billing day is agreed with the customer, so the next plan keeps it, also with another billing period. The call can state another anchor.",
	TRIAL_DAYS_OF_24_HOURS:
		"Each day of a trial has 24 hours, so its end can lie on another local date after a clock change. Billing days count from local dates.",
	NEW_PERIOD_NEW_CYCLE:
		"A plan of another billing period begins a new cycle at its start ([periods](billing.md#periods)). Lago keeps the days of the first plan. With an anchor of type `DATE`, both agree.",
	WHOLE_PERIOD_SHOWN:
		"The current period of a subscription is the whole period, also if the subscription began during it. Lago shows the period from the start. Both charge the same part.",
	NEXT_BOUNDARY:
		"The first period leads to the next boundary of the anchor ([anchors](pricing.md#a-chosen-billing-day)). Flexprice skips a boundary later on the same day or in the same year.",
	COUPON_CARRIES_OVER:
		"A plan that replaces another keeps the coupons of the subscription, unless the call names a coupon or an empty list. Polar's test removes the discount before the change.",
};
