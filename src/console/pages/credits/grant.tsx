import { useState } from "react";
import { type CreditGrant, GrantCreate } from "../../../areas/credits/grants/schema";
import type { CustomCurrency } from "../../../areas/currencies/schema";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, NumberField, SelectField, TextField, useForm } from "../../kit/form";
import { formatNumber } from "../../kit/format";
import { useOne } from "../../kit/list";
import { toast } from "../../kit/toasts";
import { t, wordFor } from "../../messages/credits";
import { DayField } from "../subscriptions/day-field";

const kinds = ["PROMOTIONAL", "PAID"] as const;

/** Gives or sells credits by hand. */
export function GrantButton({ customerId }: { readonly customerId: string }) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	return (
		<>
			<button type="button" className="solid" onClick={() => setOpen(true)}>
				{t.newGrant}
			</button>
			<Dialog title={t.newGrant} isOpen={isOpen} onClose={close}>
				<Form
					schema={GrantCreate}
					initial={{ customerId, grantType: "PROMOTIONAL" }}
					action={t.newGrant}
					submit={(body) => send("POST", "/credits/grants", body)}
					onCancel={close}
					onDone={({ data }: { data: CreditGrant }) => {
						close();
						toast(t.done({ amount: formatNumber(data.amount) }));
					}}
				>
					<GrantFields />
				</Form>
			</Dialog>
		</>
	);
}

function GrantFields() {
	const { entered } = useForm();
	const { data: currencies } = useOne<readonly CustomCurrency[]>("/credits/custom-currencies?limit=100");
	return (
		<>
			<SelectField
				name="currencyId"
				label={t.currency}
				none="–"
				isRequired
				options={(currencies ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))}
			/>
			<TextField name="displayName" label={t.name} hint={t.nameHint} isRequired />
			<div className="columns">
				<NumberField name="amount" label={t.amount} isRequired />
				<SelectField
					name="grantType"
					label={t.kind}
					options={kinds.map((value) => ({ value, label: wordFor(value) }))}
				/>
			</div>
			{entered.grantType === "PAID" && (
				<div className="columns">
					<NumberField name="cost.amount" label={t.cost} hint={t.costHint} />
					<TextField name="cost.currency" label={t.costCurrency} placeholder="usd" />
				</div>
			)}
			<DayField name="expireAt" label={t.expiry} />
			<TextField name="comment" label={t.comment} />
		</>
	);
}
