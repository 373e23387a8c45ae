import { useState } from "react";
import type { EntitlementsAnswer } from "../../../areas/entitlements/schema";
import { send, withQuery } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, SelectField, useForm } from "../../kit/form";
import { useOne } from "../../kit/list";
import { Skeleton } from "../../kit/page";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/subscriptions";
import { type OfSubscription, pathOf } from "./of";
import { OrderFields, orderOf } from "./order";
import { Preview } from "./preview";

const strategies = ["IMMEDIATE", "END_OF_BILLING_PERIOD"] as const;

const strategyOf = (value: unknown) => strategies.find((one) => one === value) ?? "IMMEDIATE";

/** Another plan, another quantity, other addons: with what it costs before it is done. */
export function ChangeButton({ subscription }: OfSubscription) {
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<button type="button" className="solid" onClick={() => setOpen(true)}>
				{t.change}
			</button>
			<Dialog
				kind="drawer"
				title={t.changeTitle({ id: subscription.id })}
				isOpen={isOpen}
				onClose={() => setOpen(false)}
			>
				<ChangeForm subscription={subscription} onClose={() => setOpen(false)} />
			</Dialog>
		</>
	);
}

/** How much of each feature it has bought, as the entitlements' explanation says. */
function useBought({ customerId, resourceId, id }: OfSubscription["subscription"]) {
	const { data } = useOne<EntitlementsAnswer>(
		withQuery(`/customers/${encodeURIComponent(customerId)}/entitlements`, {
			explain: true,
			resourceId: resourceId ?? undefined,
		}),
	);
	return data?.entitlements.flatMap((one) => {
		const bought = one.explanation?.sources
			.flatMap(({ parts }) => parts)
			.find((part) => part.kind === "UNITS_BOUGHT" && part.id === id);
		const featureId = one.type === "FEATURE" ? one.feature?.id : undefined;
		return featureId && bought?.usageLimit ? [{ id: featureId, type: "FEATURE", quantity: bought.usageLimit }] : [];
	});
}

function ChangeForm({ subscription, onClose }: OfSubscription & { readonly onClose: () => void }) {
	const bought = useBought(subscription);
	if (!bought) return <Skeleton lines={6} />;
	return (
		<Form
			initial={{
				planId: subscription.planId,
				billingPeriod: periodOf(subscription),
				charges: bought,
				addons: subscription.addons,
				scheduleStrategy: "IMMEDIATE",
			}}
			action={t.change}
			submit={(entered) => {
				const { planId, ...order } = orderOf(entered);
				const change = { ...order, scheduleStrategy: strategyOf(entered.scheduleStrategy) };
				const { customerId, resourceId } = subscription;
				return planId === subscription.planId
					? send("PATCH", pathOf(subscription), change)
					: send("POST", "/subscriptions", { customerId, resourceId, planId, ...change });
			}}
			onCancel={onClose}
			onDone={() => {
				onClose();
				toast(t.changed);
			}}
		>
			<OrderFields />
			<SelectField
				name="scheduleStrategy"
				label={t.when}
				options={strategies.map((value) => ({ value, label: t[value] }))}
			/>
			<ChangePreview subscription={subscription} />
		</Form>
	);
}

const longestMonthMs = 32 * 86_400_000;

/** The API tells the running period; one of more than a month is a year. */
function periodOf({ currentBillingPeriodStart: start, currentBillingPeriodEnd: end }: OfSubscription["subscription"]) {
	return start && end && Date.parse(end) - Date.parse(start) > longestMonthMs ? "ANNUALLY" : "MONTHLY";
}

function ChangePreview({ subscription: { customerId, resourceId } }: OfSubscription) {
	const { entered } = useForm();
	const { planId, billingPeriod, charges, addons, appliedCoupon } = orderOf(entered);
	return (
		<Preview
			of={{
				customerId,
				planId,
				scheduleStrategy: strategyOf(entered.scheduleStrategy),
				...(billingPeriod && { billingPeriod }),
				...(charges && { charges }),
				...(addons && { addons }),
				...(appliedCoupon && { appliedCoupon }),
				...(resourceId && { resourceId }),
			}}
		/>
	);
}
