import { get, type ListAnswer } from "./api";
import type { Found } from "./kit/choices";
import { t } from "./messages/screens";

export interface Place extends Found {
	readonly path: string;
}

/** Finds things of one kind by what a person types: an id, a name, a number. */
interface Source {
	readonly name: string;
	readonly find: (text: string) => Promise<readonly Place[]>;
}

/** Our choice: a person reads no more of one kind. */
const foundMax = 5;

const listed =
	<Row>(path: string, query: (text: string) => Record<string, string>, place: (row: Row) => Omit<Place, "key">) =>
	async (text: string): Promise<Place[]> => {
		const { data } = await get<ListAnswer<Row>>(path, { ...query(text), limit: foundMax });
		return data.map(place).map((one) => ({ key: one.path, ...one }));
	};

/** What ⌘K looks through besides the screens. */
export const sources: readonly Source[] = [
	{
		name: t.Customers,
		find: listed<{ id: string; name: string | null }>(
			"/customers",
			(name) => ({ name }),
			({ id, name }) => ({ label: name ?? id, detail: id, path: `/customers/${encodeURIComponent(id)}` }),
		),
	},
	{
		name: t.Plans,
		find: listed<{ id: string; displayName: string }>(
			"/plans",
			(id) => ({ id }),
			({ id, displayName }) => ({ label: displayName, detail: id, path: `/plans/${encodeURIComponent(id)}` }),
		),
	},
	{
		name: t.Invoices,
		find: listed<{ id: string; number: string | null }>(
			"/invoices",
			(number) => ({ number }),
			({ id, number }) => ({ label: number ?? id, path: `/invoices/${encodeURIComponent(id)}` }),
		),
	},
];
