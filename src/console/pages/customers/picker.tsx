import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { Link } from "wouter";
import type { Customer } from "../../../areas/customers/schema";
import { get, type ListAnswer } from "../../api";
import { Choices } from "../../kit/forms/choices";
import { useForm } from "../../kit/forms/form-state";
import { Problem } from "../../kit/problem";
import { t } from "../../messages/subscriptions";

const shownMax = 6;

/** Searches for a customer. */
export function CustomerPicker({ onChoose }: { readonly onChoose: (customer: Pick<Customer, "id" | "name">) => void }) {
	const [text, setText] = useState("");
	const search = useDeferredValue(text.trim());
	const { data, error } = useQuery({
		queryKey: ["customers", search],
		queryFn: () => get<ListAnswer<Customer>>("/customers", { search, limit: shownMax }),
		placeholderData: (before) => before,
	});
	const items = (data?.data ?? []).map(({ id, name }) => ({ key: id, label: name ?? id, detail: id }));
	return (
		<>
			<div className="picker">
				<Choices
					label={t.findCustomer}
					placeholder={t.findCustomer}
					text={text}
					onText={setText}
					groups={[{ name: t.customer, items }]}
					onChoose={({ key, label }) => onChoose({ id: key, name: label })}
				>
					{data && items.length === 0 && (
						<p className="quiet small">
							{t.noCustomer} <Link href="/customers">{t.toCustomers}</Link>
						</p>
					)}
				</Choices>
			</div>
			<Problem error={error} />
		</>
	);
}

/** The customer of a form, as `customerId`. */
export function CustomerField() {
	const { entered, set, wrong } = useForm();
	const [shown, setShown] = useState<string>();
	const name = "customerId";
	if (!entered[name])
		return (
			<div className="field">
				<CustomerPicker
					onChoose={(customer) => {
						set(name, customer.id);
						setShown(customer.name ?? customer.id);
					}}
				/>
				{wrong(name) && (
					<p className="wrong" role="alert">
						{wrong(name)}
					</p>
				)}
			</div>
		);
	return (
		<div className="field">
			<span className="strong">{t.customer}</span>
			<span className="with-unit">
				{shown ?? String(entered[name])}
				<button type="button" className="small" onClick={() => set(name, undefined)}>
					{t.another}
				</button>
			</span>
		</div>
	);
}
