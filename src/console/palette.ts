import { get, type ListAnswer } from "./api";
import type { Found } from "./kit/forms/choices";
import { t } from "./messages/screens";

export interface Place extends Found {
	readonly path: string;
}

/** Finds objects of one kind by an ID, a name or a number. */
interface Source {
	readonly name: string;
	readonly find: (text: string) => Promise<readonly Place[]>;
}

/** The maximum number of results of a kind. */
const foundMax = 5;

const listed =
	<Row>(path: string, query: (text: string) => Record<string, string>, place: (row: Row) => Omit<Place, "key">) =>
	async (text: string): Promise<Place[]> => {
		const { data } = await get<ListAnswer<Row>>(path, { ...query(text), limit: foundMax });
		return data.map(place).map((one) => ({ key: one.path, ...one }));
	};

const searching = (search: string) => ({ search });

const named = (path: string) =>
	listed<{ id: string; displayName: string }>(path, searching, ({ id, displayName }) => ({
		label: displayName,
		detail: id,
		path: `${path}/${encodeURIComponent(id)}`,
	}));

/** The command palette searches these sources and the screens. */
export const sources: readonly Source[] = [
	{
		name: t.Customers,
		find: listed<{ id: string; name: string | null }>("/customers", searching, ({ id, name }) => ({
			label: name ?? id,
			detail: id,
			path: `/customers/${encodeURIComponent(id)}`,
		})),
	},
	{
		name: t.Subscriptions,
		find: listed<{ id: string; customerId: string }>("/subscriptions", searching, ({ id, customerId }) => ({
			label: id,
			detail: customerId,
			path: `/subscriptions/${encodeURIComponent(id)}`,
		})),
	},
	{
		name: t.Invoices,
		find: listed<{ invoiceId: string; invoiceNumber: string | null; customerName: string | null }>(
			"/invoices",
			searching,
			({ invoiceId, invoiceNumber, customerName }) => ({
				label: invoiceNumber ?? invoiceId,
				...(customerName && { detail: customerName }),
				path: `/invoices/${encodeURIComponent(invoiceId)}`,
			}),
		),
	},
	{
		name: t.Contracts,
		find: listed<{ contractId: string; name: string | null }>("/contracts", searching, ({ contractId, name }) => ({
			label: name ?? contractId,
			detail: contractId,
			path: `/contracts/${encodeURIComponent(contractId)}`,
		})),
	},
	{ name: t.Plans, find: named("/plans") },
	{ name: t.Addons, find: named("/addons") },
	{ name: t.Features, find: named("/features") },
	{ name: t.Products, find: named("/products") },
	{
		name: t.Coupons,
		find: listed<{ id: string; name: string }>("/coupons", searching, ({ id, name }) => ({
			label: name,
			detail: id,
			path: `/coupons/${encodeURIComponent(id)}`,
		})),
	},
];
