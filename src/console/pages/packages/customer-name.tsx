import type { Customer } from "../../../areas/customers/schema";
import { useOne } from "../../kit/list";
import { may } from "../../session";

/** By its name, where it has one and the person may read it, with its id. */
export function CustomerName({ id }: { readonly id: string }) {
	const { data } = useOne<Customer>(may("CUSTOMER:READ") ? `/customers/${encodeURIComponent(id)}` : undefined);
	if (!data?.name) return id;
	return (
		<>
			{data.name} <span className="quiet small">{id}</span>
		</>
	);
}
