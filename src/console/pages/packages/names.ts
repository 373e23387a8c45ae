import type { CustomCurrency } from "../../../areas/currencies/schema";
import type { Feature } from "../../../areas/features/schema";
import type { Product } from "../../../areas/products/schema";
import { useOne } from "../../kit/list";

/** Our choice: what is beyond these is called by its id. */
const namedMax = 100;

/** What can be granted, and what it is called. */
export function useFeatures() {
	const { data: features = [] } = useOne<readonly Feature[]>(`/features?limit=${namedMax}`);
	const { data: currencies = [] } = useOne<readonly CustomCurrency[]>(`/credits/custom-currencies?limit=${namedMax}`);
	const names = new Map([...features, ...currencies].map(({ id, displayName }) => [id, displayName]));
	return { features, currencies, nameOf: (id: string) => names.get(id) ?? id };
}

/** Those that plans can be made for; undefined until they are known. */
export const useProducts = () => useOne<readonly Product[]>(`/products?status=PUBLISHED&limit=${namedMax}`).data;
