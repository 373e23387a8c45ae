import type { EntitlementsAnswer } from "../../../areas/entitlements/schema";
import { type BillingPeriod, shownPeriod } from "../../../areas/pricing/rules.billing-period";
import { type Subscription, SubscriptionCancel } from "../../../areas/subscriptions/schema";
import { SubscriptionUpdate } from "../../../areas/subscriptions/schema.update";
import { pathTo, send, withQuery } from "../../api";
import { ConfirmButton, confirmation, DialogButton, type Opening } from "../../kit/dialog";
import { formatDate } from "../../kit/format";
import { FormButton, FormDialog } from "../../kit/forms/form-dialog";
import { Input } from "../../kit/forms/form-fields";
import { type Entered, useForm } from "../../kit/forms/form-state";
import { useOne } from "../../kit/list";
import { optionsOf } from "../../kit/values";
import { t as parents } from "../../messages/parents";
import { t } from "../../messages/subscriptions";
import { t as taxTexts } from "../../messages/taxes";
import { TaxesField } from "../taxes/choice";
import { OrderFields, orderOf } from "./order";
import { Preview } from "./preview";

export interface OfSubscription {
	readonly subscription: Subscription;
}

export const pathOf = ({ id }: Subscription): string => pathTo("/subscriptions", id);

const times = ["END_OF_BILLING_PERIOD", "IMMEDIATE", "SPECIFIC_DATE"] as const;

interface CancelProps extends OfSubscription {
	readonly planName: string;
}

/** Cancels a subscription now or later, or undoes a scheduled cancellation. */
export function CancelButton({ subscription, planName }: CancelProps) {
	const { id, cancellationDate, effectiveEndDate, currentBillingPeriodEnd } = subscription;
	const path = pathOf(subscription);
	if (cancellationDate && effectiveEndDate)
		return <ConfirmButton {...confirmation(t, "keep", { id })} perform={["PATCH", path, { cancellationDate: null }]} />;
	return (
		<FormButton
			label={t.cancelSubscription}
			title={t.cancelTitle({ id })}
			isDanger
			to={["POST", `${path}/cancel`]}
			schema={SubscriptionCancel}
			texts={t}
			initial={{ cancellationTime: currentBillingPeriodEnd ? "END_OF_BILLING_PERIOD" : "IMMEDIATE" }}
			action={t.cancelAction}
			body={cancelOf}
			onDone={() => t.canceled}
		>
			<CancelFields subscription={subscription} planName={planName} />
		</FormButton>
	);
}

const cancelOf = ({ cancellationTime, endDate, isBackdated, prorate }: Entered) => ({
	cancellationTime,
	...(cancellationTime === "SPECIFIC_DATE" && { endDate, ...(isBackdated === true && { isBackdated }) }),
	...(cancellationTime === "IMMEDIATE" && prorate === true && { prorate }),
});

function CancelFields({ subscription, planName }: CancelProps) {
	const { cancellationTime } = useForm().entered;
	const { customerId: customer, currentBillingPeriodEnd, status } = subscription;
	const says = {
		IMMEDIATE: status === "IN_TRIAL" ? t.cancelTrial : t.cancelNow,
		END_OF_BILLING_PERIOD: t.cancelAtEnd,
		SPECIFIC_DATE: t.cancelOn,
	}[times.find((one) => one === cancellationTime) ?? "IMMEDIATE"];
	const offered = times.filter((time) => time !== "END_OF_BILLING_PERIOD" || currentBillingPeriodEnd);
	return (
		<>
			<Input name="cancellationTime" kind="select" label={t.when} options={optionsOf(t, offered)} />
			<p className="note warn">{says({ customer, plan: planName, day: formatDate(currentBillingPeriodEnd) })}</p>
			{cancellationTime === "SPECIFIC_DATE" && <Input name="endDate" label={t.endsOn} />}
			{cancellationTime === "SPECIFIC_DATE" && status === "ACTIVE" && <Input name="isBackdated" />}
			{cancellationTime === "IMMEDIATE" && status === "ACTIVE" && <Input name="prorate" />}
		</>
	);
}

/** Converts a trial now. */
export const EndTrialButton = ({ subscription }: OfSubscription) => (
	<ConfirmButton
		{...confirmation(t, "endTrial", { id: subscription.id })}
		perform={["POST", `${pathOf(subscription)}/trial/end`]}
	/>
);

/** Pauses an active subscription, or resumes a paused one. */
export function PauseButton({ subscription }: OfSubscription) {
	const action = subscription.pause ? "resume" : "pause";
	return (
		<ConfirmButton
			{...confirmation(t, action, { id: subscription.id })}
			perform={["POST", `${pathOf(subscription)}/${action}`]}
		/>
	);
}

/** Extends or shortens a trial. */
export const TrialButton = ({ subscription }: OfSubscription) => (
	<FormButton
		label={t.extendTrial}
		to={["PATCH", pathOf(subscription)]}
		schema={SubscriptionUpdate}
		texts={t}
		edited={subscription}
		fields={[{ name: "trialEndDate", label: t.trialDay }]}
		action={t.extendTrial}
		onDone={() => t.changed}
	>
		<p className="quiet">{t.extendTrialText({ customer: subscription.customerId })}</p>
	</FormButton>
);

/** Counts the usage of the customer's children too, or no longer. */
export const ChildUsageButton = ({ subscription }: OfSubscription) => (
	<FormButton
		label={parents.editUsage}
		to={["PATCH", pathOf(subscription)]}
		schema={SubscriptionUpdate}
		texts={parents}
		edited={{ includesChildUsage: subscription.includesChildUsage ?? false }}
		fields={["includesChildUsage"]}
		onDone={() => t.changed}
	/>
);

/** Edits the taxes of a subscription, which replace those of its prices. */
export const TaxesButton = ({ subscription }: OfSubscription) => (
	<FormButton
		label={taxTexts.edit}
		to={["PATCH", pathOf(subscription)]}
		schema={SubscriptionUpdate}
		texts={t}
		edited={{}}
		initial={{ taxes: subscription.taxes }}
		fields={[SubscriptionTaxes]}
		onDone={() => t.changed}
	/>
);

const SubscriptionTaxes = () => <TaxesField inherited={taxTexts.asPrice} />;

const strategies = ["IMMEDIATE", "END_OF_BILLING_PERIOD", "ON_DATE"] as const;

/** Returns when a change applies: by a strategy, or on a date. */
function timingOf({ scheduleStrategy, effectiveDate }: Entered) {
	const strategy = strategies.find((one) => one === scheduleStrategy) ?? "IMMEDIATE";
	return strategy === "ON_DATE" ? { ...(effectiveDate ? { effectiveDate } : {}) } : { scheduleStrategy: strategy };
}

const isOnDate = ({ scheduleStrategy }: Entered): boolean => scheduleStrategy === "ON_DATE";

/** Changes the plan, quantities or addons, with a preview of the price. */
export const ChangeButton = ({ subscription }: OfSubscription) => (
	<DialogButton
		label={t.change}
		isMain
		dialog={(opening) => <ChangeDialog subscription={subscription} {...opening} />}
	/>
);

/** Reads the quantity of each feature that the subscription has bought, from the explanation of the entitlements. */
function useBought({ customerId, resourceId, id }: Subscription, isOpen: boolean) {
	const path = `${pathTo("/customers", customerId)}/entitlements`;
	const { data } = useOne<EntitlementsAnswer>(
		isOpen ? withQuery(path, { explain: true, resourceId: resourceId ?? undefined }) : undefined,
	);
	return data?.entitlements.flatMap((one) => {
		const bought = one.explanation?.sources
			.flatMap(({ parts }) => parts)
			.find((part) => part.kind === "UNITS_BOUGHT" && part.id === id);
		const featureId = one.type === "FEATURE" ? one.feature?.id : undefined;
		return featureId && bought?.usageLimit ? [{ id: featureId, type: "FEATURE", quantity: bought.usageLimit }] : [];
	});
}

function ChangeDialog({ subscription, isOpen, onClose }: OfSubscription & Opening) {
	const bought = useBought(subscription, isOpen);
	const { id, customerId, resourceId, addons } = subscription;
	const change = (entered: Entered) => {
		const { planId, ...order } = orderOf(entered);
		const changed = { ...order, ...timingOf(entered) };
		return planId === subscription.planId
			? send("PATCH", pathOf(subscription), changed)
			: send("POST", "/subscriptions", { customerId, resourceId, planId, ...changed });
	};
	return (
		<FormDialog
			title={t.changeTitle({ id })}
			kind="drawer"
			isOpen={isOpen && bought !== undefined}
			onClose={onClose}
			to={change}
			texts={t}
			initial={{
				planId: subscription.planId,
				billingPeriod: periodOf(subscription),
				charges: bought,
				addons,
				scheduleStrategy: "IMMEDIATE",
			}}
			fields={[
				OrderFields,
				{ name: "scheduleStrategy", kind: "select", label: t.when, options: optionsOf(t, strategies) },
				{ name: "effectiveDate", kind: "day", isRequired: true, when: isOnDate },
			]}
			below={<ChangePreview subscription={subscription} />}
			action={t.change}
			onDone={() => t.changed}
		/>
	);
}

const longestMonthMs = 32 * 86_400_000;

/** The API names the billing period if it is neither a month nor a year. */
function periodOf({ billingPeriod, billingInterval, ...subscription }: Subscription): BillingPeriod {
	if (billingPeriod) return shownPeriod({ billingPeriod, billingInterval });
	const { currentBillingPeriodStart: start, currentBillingPeriodEnd: end } = subscription;
	return start && end && Date.parse(end) - Date.parse(start) > longestMonthMs ? "ANNUALLY" : "MONTHLY";
}

function ChangePreview({ subscription: { customerId, resourceId } }: OfSubscription) {
	const { entered } = useForm();
	return (
		<Preview
			of={{
				customerId,
				...orderOf(entered),
				...timingOf(entered),
				...(resourceId && { resourceId }),
			}}
		/>
	);
}
