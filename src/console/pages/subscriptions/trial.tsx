import { useState } from "react";
import { SubscriptionUpdate } from "../../../areas/subscriptions/schema.update";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form } from "../../kit/form";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/subscriptions";
import { DayField } from "./day-field";
import { type OfSubscription, pathOf } from "./of";

/** Makes a trial longer or shorter. */
export function TrialButton({ subscription }: OfSubscription) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>
				{t.extendTrial}
			</button>
			<Dialog title={t.extendTrial} isOpen={isOpen} onClose={close}>
				<Form
					schema={SubscriptionUpdate}
					initial={{ trialEndDate: subscription.trialEndDate }}
					action={t.extendTrial}
					submit={(body) => send("PATCH", pathOf(subscription), body)}
					onCancel={close}
					onDone={() => {
						close();
						toast(t.changed);
					}}
				>
					<p className="quiet">{t.extendTrialText({ customer: subscription.customerId })}</p>
					<DayField name="trialEndDate" label={t.trialDay} />
				</Form>
			</Dialog>
		</>
	);
}
