import type { Customer } from "../../../areas/customers/schema";

export interface OfCustomer {
	readonly customer: Customer;
}
