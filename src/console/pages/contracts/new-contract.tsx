import { useEffect } from "react";
import { useLocation } from "wouter";
import { type Contract, ContractCreate, type SubscriptionEntry } from "../../../areas/contracts/schema";
import type { Plan } from "../../../areas/plans/schema";
import type { Subscription } from "../../../areas/subscriptions/schema";
import { ApiError, send, withQuery } from "../../api";
import { useNow } from "../../kit/clock";
import { Dialog } from "../../kit/dialog";
import { Field, Form, TextField, useForm } from "../../kit/form";
import { IdField } from "../../kit/id-field";
import { useOne } from "../../kit/list";
import { Problem } from "../../kit/problem";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/contracts";
import { CustomerField } from "../customers/picker";
import { DayField } from "../subscriptions/day-field";

/** Our choice: a customer or a catalogue of more has its contracts made by the API. */
const shownMax = 100;

/** What publishing needs is asked for at once. */
const NewContractBody = {
	...ContractCreate,
	required: [...(ContractCreate.required ?? []), "name", "contractId", "activationStartDate", "activationEndDate"],
};

interface NewContractProps {
	/** Left out: it is chosen. */
	readonly customerId?: string;
	readonly isOpen: boolean;
	readonly onClose: () => void;
}

/** A draft over one subscription; its lines are added on its page. */
export function NewContract({ customerId, isOpen, onClose }: NewContractProps) {
	const [, navigate] = useLocation();
	const today = new Date(useNow()).toISOString().slice(0, 10);
	return (
		<Dialog kind="drawer" title={t.newContract} isOpen={isOpen} onClose={onClose}>
			<Form
				schema={NewContractBody}
				initial={{ customerId, activationStartDate: `${today}T00:00:00Z` }}
				action={t.create}
				submit={(body) => create(body as ContractCreate)}
				onCancel={onClose}
				onDone={({ contractId, name }: Contract) => {
					onClose();
					toast(t.created({ name: name ?? contractId }));
					navigate(`/contracts/${encodeURIComponent(contractId)}`);
				}}
			>
				{!customerId && <CustomerField name="customerId" />}
				<TextField name="name" label={t.name} isRequired />
				<IdField name="contractId" of="name" prefix="contract" hint={t.idHint} />
				<MemberField />
				<div className="columns">
					<DayField name="activationStartDate" label={t.from} />
					<DayField name="activationEndDate" label={t.until} hint={t.untilHint} />
				</div>
				<TextField name="poNumber" label={t.orderNumber} />
			</Form>
		</Dialog>
	);
}

/** With the id of a contract that exists the API answers that one, unchanged: it is told here, since a new one is meant. */
async function create(body: ContractCreate): Promise<Contract> {
	const { data } = await send<{ data: Contract }>("POST", "/contracts", body);
	if (data.customerExternalId !== body.customerId || data.name !== body.name)
		throw new ApiError(t.idTaken, 409, null, undefined, "contractId");
	return data;
}

/** What the contract groups: a subscription that runs, or a new one to a plan whose price is negotiated. */
function MemberField() {
	const { entered, set } = useForm();
	const { customerId } = entered;
	const { data: subscriptions, error } = useOne<readonly Subscription[]>(
		customerId ? withQuery("/subscriptions", { customerId: String(customerId), limit: shownMax }) : undefined,
	);
	const { data: plans } = useOne<readonly Plan[]>(withQuery("/plans", { status: "PUBLISHED", limit: shownMax }));
	const nameOf = (planId: string) => plans?.find(({ id }) => id === planId)?.displayName ?? planId;
	const running = (subscriptions ?? []).filter(isFree);
	const custom = (plans ?? []).filter(({ pricingType }) => pricingType === "CUSTOM");
	const [chosen] = (entered.subscriptions ?? []) as readonly SubscriptionEntry[];
	const choose = (key: string) => {
		const [kind, id] = [key.slice(0, 1), key.slice(1)];
		if (kind === "s") set("subscriptions", [{ existingSubscriptionId: id }]);
		else set("subscriptions", kind === "p" ? [{ newSubscription: { customerId, planId: id } }] : undefined);
	};
	// One of another customer is none of the next one's.
	useEffect(() => {
		if (!customerId && chosen) set("subscriptions", undefined);
	});
	if (!customerId) return null;
	return (
		<>
			<Problem error={error} />
			<Field name="subscriptions" label={t.grouped} hint={t.groupedHint}>
				{(control) => (
					<select {...control} value={keyOf(chosen)} onChange={({ target }) => choose(target.value)}>
						<option value="">{t.choose}</option>
						{running.length > 0 && (
							<optgroup label={t.runs}>
								{running.map(({ id, planId }) => (
									<option key={id} value={`s${id}`}>
										{nameOf(planId)} · {id}
									</option>
								))}
							</optgroup>
						)}
						<optgroup label={t.newTo}>
							{custom.map(({ id, displayName }) => (
								<option key={id} value={`p${id}`}>
									{displayName}
								</option>
							))}
						</optgroup>
					</select>
				)}
			</Field>
		</>
	);
}

const keyOf = (entry: SubscriptionEntry | undefined): string => {
	if (entry?.existingSubscriptionId) return `s${entry.existingSubscriptionId}`;
	return entry?.newSubscription ? `p${entry.newSubscription.planId}` : "";
};

/** Whether a contract takes it: negotiated, running, and on none yet. */
const isFree = ({ contractId, pricingType, paymentCollectionMethod, status }: Subscription): boolean =>
	contractId === null &&
	(pricingType === "CUSTOM" || (pricingType === "PAID" && paymentCollectionMethod === "NONE")) &&
	status !== "CANCELED" &&
	status !== "EXPIRED";
