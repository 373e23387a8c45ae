import { useEffect } from "react";
import { ContractCreate, type SubscriptionEntry } from "../../../areas/contracts/schema";
import type { Contract } from "../../../areas/contracts/schema.shown";
import type { Plan } from "../../../areas/plans/schema";
import type { Subscription } from "../../../areas/subscriptions/schema";
import { ApiError, pathTo, send, withQuery } from "../../api";
import type { Opening } from "../../kit/dialog";
import { Field, Options } from "../../kit/forms/fields";
import { FormDialog } from "../../kit/forms/form-dialog";
import { useForm } from "../../kit/forms/form-state";
import { useOne } from "../../kit/list";
import { Problem } from "../../kit/problem";
import { namedOptions, useNow } from "../../kit/values";
import { t } from "../../messages/contracts";
import { CustomerField } from "../customers/picker";

/** The maximum number of choices. With more customers or plans, contracts are created through the API. */
const shownMax = 100;

/** Publishing needs these values; the form asks for them at once. */
const NewContractBody = {
	...ContractCreate,
	required: [...(ContractCreate.required ?? []), "name", "contractId", "activationStartDate", "activationEndDate"],
};

interface NewContractProps extends Opening {
	/** Without it the person chooses the customer. */
	readonly customerId?: string;
}

/** Creates a draft with one subscription. Its lines are added on its page. */
export function NewContract({ customerId, ...opening }: NewContractProps) {
	const today = new Date(useNow()).toISOString().slice(0, 10);
	return (
		<FormDialog
			{...opening}
			title={t.newContract}
			kind="drawer"
			to={(body) => create(body as ContractCreate)}
			schema={NewContractBody}
			texts={t}
			initial={{ customerId, activationStartDate: `${today}T00:00:00Z` }}
			fields={[
				...(customerId ? [] : [CustomerField]),
				"name",
				{ name: "contractId", from: "name", prefix: "contract" },
				SubscriptionField,
				["activationStartDate", "activationEndDate"],
				"poNumber",
			]}
			leadsTo={({ contractId }: Contract) => pathTo("/contracts", contractId)}
			onDone={({ contractId, name }: Contract) => t.created({ name: name ?? contractId })}
		/>
	);
}

/** The API answers an existing ID with that contract, unchanged. The form reports it, because it means a new contract. */
async function create(body: ContractCreate): Promise<Contract> {
	const { data } = await send<{ data: Contract }>("POST", "/contracts", body);
	if (data.customerExternalId !== body.customerId || data.name !== body.name)
		throw new ApiError(t.idTaken, 409, null, undefined, "contractId");
	return data;
}

/** The subscription of the contract: an active one, or a new one to a plan with a custom price. */
function SubscriptionField() {
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
	// A subscription of another customer cannot stay chosen.
	useEffect(() => {
		if (!customerId && chosen) set("subscriptions", undefined);
	});
	if (!customerId) return null;
	return (
		<>
			<Problem error={error} />
			<Field name="subscriptions" label={t.subscription} hint={t.groupedHint}>
				{(control) => (
					<select {...control} value={keyOf(chosen)} onChange={({ target }) => choose(target.value)}>
						<option value="">{t.choose}</option>
						<Options
							of={[
								{
									name: t.runs,
									options: running.map(({ id, planId }) => ({ value: `s${id}`, label: `${nameOf(planId)} · ${id}` })),
								},
								{
									name: t.newTo,
									options: namedOptions(custom).map(({ value, label }) => ({ value: `p${value}`, label })),
								},
							].filter(({ options }) => options.length > 0)}
						/>
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

/** Whether a contract accepts the subscription: custom-priced, active and in no contract. */
const isFree = ({ contractId, pricingType, paymentCollectionMethod, status }: Subscription): boolean =>
	contractId === null &&
	(pricingType === "CUSTOM" || (pricingType === "PAID" && paymentCollectionMethod === "NONE")) &&
	status !== "CANCELED" &&
	status !== "EXPIRED";
