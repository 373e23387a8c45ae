import type { Addon } from "../../../areas/addons/schema";
import type { CustomCurrency } from "../../../areas/currencies/schema";
import type { Customer } from "../../../areas/customers/schema";
import type { Feature } from "../../../areas/features/schema";
import type { PackageKind } from "../../../areas/packages/schema";
import type { Plan } from "../../../areas/plans/schema";
import { pathTo, withQuery } from "../../api";
import { useOne } from "../../kit/list";
import { type Column, createdColumn, idColumn, statusColumn } from "../../kit/table";
import { addons, plans, t } from "../../messages/packages";
import { may } from "../../session";

/** A plan or an addon. */
export type Package = Plan | Addon;

export interface OfPackage {
	readonly kind: PackageKind;
	readonly of: Package;
}

/** The path of each kind, in the console and below /api/v1 alike, and its texts. */
export const kinds = { PLAN: { path: "/plans", t: plans }, ADDON: { path: "/addons", t: addons } } as const;

export const pathOf = (kind: PackageKind, id: string): string => pathTo(kinds[kind].path, id);

/** The path of a list that belongs to a version, such as its entitlements. */
export const versionPath = ({ kind, of }: OfPackage, list: string, limit?: number): string =>
	withQuery(`${pathOf(kind, of.id)}/${list}`, { version: of.versionNumber, limit });

export const pricingOf = ({ pricingType }: Package): string => (pricingType ? t[pricingType] : t.notPriced);

export const packageColumns = (kind: PackageKind): readonly Column<Package>[] => [
	{ head: kinds[kind].t.one, cell: ({ displayName }) => displayName },
	idColumn,
	{ head: t.product, isWide: true, cell: ({ productId }) => productId },
	{ head: t.pricing, cell: pricingOf },
	{ head: t.grants, isWide: true, isFigure: true, cell: ({ entitlements }) => String(entitlements.length) },
	{ head: t.version, isWide: true, isFigure: true, cell: ({ versionNumber }) => String(versionNumber) },
	statusColumn,
	createdColumn,
];

export const packageEmpty = (kind: PackageKind) => ({
	title: kinds[kind].t.emptyTitle,
	text: kinds[kind].t.emptyText,
});

/** Things beyond these are shown by their IDs. */
const namedMax = 100;

/** Everything that a version can grant, and its names. */
export function useFeatures() {
	const { data: features = [] } = useOne<readonly Feature[]>(`/features?limit=${namedMax}`);
	const { data: currencies = [] } = useOne<readonly CustomCurrency[]>(`/credits/custom-currencies?limit=${namedMax}`);
	const names = new Map([...features, ...currencies].map(({ id, displayName }) => [id, displayName]));
	return { features, currencies, nameOf: (id: string) => names.get(id) ?? id };
}

/** The name and ID of a customer, for people who may read customers. */
export function CustomerName({ id }: { readonly id: string }) {
	const { data } = useOne<Customer>(may("CUSTOMER:READ") ? pathTo("/customers", id) : undefined);
	if (!data?.name) return id;
	return (
		<>
			{data.name} <span className="quiet small">{id}</span>
		</>
	);
}
