import { type Customer, CustomerProvision, CustomerUpdate } from "../../../areas/customers/schema";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, TextField } from "../../kit/form";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/customers";

interface CustomerDialogProps {
	/** Left out: a new one. */
	readonly customer?: Customer;
	readonly isOpen: boolean;
	readonly onClose: () => void;
	readonly onDone?: (customer: Customer) => void;
}

const edited = ["name", "email", "billingCurrency", "language", "timezone"] as const;

export function CustomerDialog({ customer, isOpen, onClose, onDone }: CustomerDialogProps) {
	/** What was emptied is taken away. */
	const changes = (body: Record<string, unknown>) =>
		Object.fromEntries(
			edited.filter((name) => body[name] !== customer?.[name]).map((name) => [name, body[name] ?? null]),
		);
	return (
		<Dialog
			title={customer ? t.editTitle({ name: customer.name ?? customer.id }) : t.newCustomer}
			isOpen={isOpen}
			onClose={onClose}
		>
			<Form
				schema={customer ? CustomerUpdate : CustomerProvision}
				initial={customer ? Object.fromEntries(edited.map((name) => [name, customer[name] ?? undefined])) : {}}
				action={customer ? t.save : t.create}
				submit={(body) =>
					customer
						? send("PATCH", `/customers/${encodeURIComponent(customer.id)}`, changes(body))
						: send("POST", "/customers", body)
				}
				onCancel={onClose}
				onDone={({ data }: { data: Customer }) => {
					onClose();
					toast(customer ? t.saved : t.created({ name: data.name ?? data.id }));
					onDone?.(data);
				}}
			>
				{!customer && <TextField name="id" label={t.id} hint={t.idHint} isRequired />}
				<TextField name="name" label={t.name} />
				<TextField name="email" type="email" label={t.email} />
				<div className="columns">
					<TextField name="billingCurrency" label={t.currency} hint={t.currencyHint} />
					<TextField name="language" label={t.language} hint={t.languageHint} />
				</div>
				<TextField name="timezone" label={t.timezone} hint={t.timezoneHint} />
			</Form>
		</Dialog>
	);
}
