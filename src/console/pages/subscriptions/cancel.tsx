import { useState } from "react";
import { SubscriptionCancel } from "../../../areas/subscriptions/schema";
import { send } from "../../api";
import { ConfirmButton, Dialog } from "../../kit/dialog";
import { CheckboxField, type Entered, Form, SelectField, useForm } from "../../kit/form";
import { formatDate } from "../../kit/format";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/subscriptions";
import { DayField } from "./day-field";
import { type OfSubscription, pathOf } from "./of";

const times = ["END_OF_BILLING_PERIOD", "IMMEDIATE", "SPECIFIC_DATE"] as const;

interface CancelProps extends OfSubscription {
	readonly planName: string;
}

/** Ends it, now or later, after saying what that means; a cancellation to come is taken back. */
export function CancelButton({ subscription, planName }: CancelProps) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	const { id, cancellationDate, effectiveEndDate } = subscription;
	if (cancellationDate && effectiveEndDate)
		return (
			<ConfirmButton
				label={t.keep}
				title={t.keepTitle({ id })}
				says={t.keepSays}
				perform={() => send("PATCH", pathOf(subscription), { cancellationDate: null })}
			/>
		);
	return (
		<>
			<button type="button" className="danger" onClick={() => setOpen(true)}>
				{t.cancel}
			</button>
			<Dialog title={t.cancelTitle({ id })} isOpen={isOpen} onClose={close}>
				<Form
					schema={SubscriptionCancel}
					initial={{ cancellationTime: subscription.currentBillingPeriodEnd ? times[0] : "IMMEDIATE" }}
					action={t.cancelAction}
					submit={(body) => send("POST", `${pathOf(subscription)}/cancel`, cancelOf(body))}
					onCancel={close}
					onDone={() => {
						close();
						toast(t.canceled);
					}}
				>
					<CancelFields subscription={subscription} planName={planName} />
				</Form>
			</Dialog>
		</>
	);
}

const cancelOf = ({ cancellationTime, endDate, prorate }: Entered) => ({
	cancellationTime,
	...(cancellationTime === "SPECIFIC_DATE" && { endDate }),
	...(cancellationTime === "IMMEDIATE" && prorate === true && { prorate }),
});

function CancelFields({ subscription, planName }: CancelProps) {
	const { entered } = useForm();
	const { customerId: customer, currentBillingPeriodEnd, status } = subscription;
	const says = {
		IMMEDIATE: status === "IN_TRIAL" ? t.cancelTrial : t.cancelNow,
		END_OF_BILLING_PERIOD: t.cancelAtEnd,
		SPECIFIC_DATE: t.cancelOn,
	}[times.find((one) => one === entered.cancellationTime) ?? "IMMEDIATE"];
	return (
		<>
			<SelectField
				name="cancellationTime"
				label={t.when}
				options={times
					.filter((value) => value !== "END_OF_BILLING_PERIOD" || currentBillingPeriodEnd)
					.map((value) => ({ value, label: t[value] }))}
			/>
			<p className="note warn">{says({ customer, plan: planName, day: formatDate(currentBillingPeriodEnd) })}</p>
			{entered.cancellationTime === "SPECIFIC_DATE" && <DayField name="endDate" label={t.endsOn} />}
			{entered.cancellationTime === "IMMEDIATE" && status === "ACTIVE" && (
				<CheckboxField name="prorate" label={t.prorate} />
			)}
		</>
	);
}
