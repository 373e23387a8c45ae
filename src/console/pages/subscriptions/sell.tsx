import { useLocation } from "wouter";
import type { SubscriptionProvisioned } from "../../../areas/subscriptions/schema.provisioned";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { type Entered, Form, SelectField, TextField, useForm } from "../../kit/form";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/subscriptions";
import { CustomerField } from "../customers/picker";
import { type Order, OrderFields, orderOf } from "./order";
import { Preview } from "./preview";

interface SellProps {
	/** Left out: it is chosen. */
	readonly customerId?: string;
	/** To begin with. */
	readonly planId?: string;
	readonly isOpen: boolean;
	readonly onClose: () => void;
}

/** A plan for a customer: what is ordered, from when, and beside it what it costs. */
export function Sell({ customerId, planId, isOpen, onClose }: SellProps) {
	const [, navigate] = useLocation();
	return (
		<Dialog kind="drawer" title={t.sellTo} isOpen={isOpen} onClose={onClose}>
			<Form
				initial={{ customerId, planId, billingPeriod: "MONTHLY" }}
				action={t.sell}
				submit={(body) => send("POST", "/subscriptions", soldOf(body))}
				onCancel={onClose}
				onDone={({ data: { id, subscription } }: { data: SubscriptionProvisioned }) => {
					onClose();
					toast(t.sold({ plan: subscription?.planId ?? id }));
					navigate(`/subscriptions/${encodeURIComponent(id)}`);
				}}
			>
				{!customerId && <CustomerField name="customerId" />}
				<OrderFields />
				<div className="columns">
					<TextField name="startDay" type="date" label={t.starts} hint={t.startsHint} />
					<Trial />
				</div>
				<SellPreview />
			</Form>
		</Dialog>
	);
}

function Trial() {
	const { entered } = useForm();
	return (
		<div>
			<SelectField
				name="trial"
				label={t.trial}
				options={[
					{ value: "", label: t.trialOfPlan },
					{ value: "none", label: t.trialNone },
					{ value: "until", label: t.trialUntil },
				]}
			/>
			{entered.trial === "until" && <TextField name="trialDay" type="date" label={t.trialDay} isRequired />}
		</div>
	);
}

const instantOf = (day: unknown): string | undefined => (day ? `${String(day)}T00:00:00Z` : undefined);

/** What the form has, as the API takes it. */
function soldOf(entered: Entered): Order & { readonly customerId: string } {
	const { trial, trialDay, startDay, customerId } = entered;
	const startDate = instantOf(startDay);
	const trialEndDate = instantOf(trialDay);
	return {
		customerId: String(customerId ?? ""),
		...orderOf(entered),
		...(startDate && { startDate }),
		...(trial === "none" && { trialOverrideConfiguration: { isTrial: false } }),
		...(trial === "until" && { trialOverrideConfiguration: { isTrial: true, ...(trialEndDate && { trialEndDate }) } }),
	};
}

function SellPreview() {
	const { entered } = useForm();
	const sold = soldOf(entered);
	return <Preview of={sold.customerId && sold.planId ? sold : undefined} />;
}
