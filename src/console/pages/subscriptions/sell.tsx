import type { SubscriptionProvisioned } from "../../../areas/subscriptions/lifecycle/schema.provisioned";
import { pathTo } from "../../api";
import { anchorOf, BillingDay } from "../../kit/billing-day";
import type { Opening } from "../../kit/dialog";
import { FormDialog } from "../../kit/forms/form-dialog";
import { Fields } from "../../kit/forms/form-fields";
import { type Entered, useForm } from "../../kit/forms/form-state";
import { t } from "../../messages/subscriptions";
import { t as taxTexts } from "../../messages/taxes";
import { CustomerField } from "../customers/picker";
import { TaxesField } from "../taxes/choice";
import { type Order, OrderFields, orderOf } from "./order";
import { Preview } from "./preview";

interface SellProps extends Opening {
	/** Without it the person chooses the customer. */
	readonly customerId?: string;
	/** The plan that is chosen at first. */
	readonly planId?: string;
}

/** Sells a plan to a customer, with a preview of the price. */
export const Sell = ({ customerId, planId, ...opening }: SellProps) => (
	<FormDialog
		{...opening}
		title={t.sell}
		kind="drawer"
		to={["POST", "/subscriptions"]}
		texts={t}
		initial={{ customerId, planId, billingPeriod: "MONTHLY" }}
		fields={[
			...(customerId ? [] : [CustomerField]),
			OrderFields,
			Anchor,
			[{ name: "startDate", kind: "day", label: t.starts, hint: t.startsHint }, Trial],
			SoldTaxes,
			SellPreview,
		]}
		action={t.sell}
		body={soldOf}
		leadsTo={({ id }: SubscriptionProvisioned) => pathTo("/subscriptions", id)}
		onDone={({ id, subscription }: SubscriptionProvisioned) => t.sold({ plan: subscription?.planId ?? id })}
	/>
);

const Anchor = () => <BillingDay none={t.asPlan} />;

const SoldTaxes = () => <TaxesField inherited={taxTexts.asPrice} />;

const trials = [
	{ value: "none", label: t.noTrial },
	{ value: "until", label: t.trialUntil },
];

const Trial = () => (
	<div>
		<Fields
			of={[
				{ name: "trial", kind: "select", none: t.trialOfPlan, options: trials },
				{ name: "trialDay", kind: "day", isRequired: true, when: ({ trial }) => trial === "until" },
			]}
		/>
	</div>
);

/** Returns the body of the API. */
function soldOf(entered: Entered): Order & { readonly customerId: string } {
	const { trial, trialDay, startDate, customerId, taxes } = entered;
	return {
		customerId: String(customerId ?? ""),
		...orderOf(entered),
		...anchorOf(entered),
		...(Array.isArray(taxes) && { taxes }),
		...(startDate ? { startDate: String(startDate) } : {}),
		...(trial === "none" && { trialOverrideConfiguration: { isTrial: false } }),
		...(trial === "until" && {
			trialOverrideConfiguration: { isTrial: true, ...(trialDay ? { trialEndDate: String(trialDay) } : {}) },
		}),
	};
}

function SellPreview() {
	const sold = soldOf(useForm().entered);
	return <Preview of={sold.customerId && sold.planId ? sold : undefined} />;
}
