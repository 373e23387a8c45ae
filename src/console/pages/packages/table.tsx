import type { PackageKind } from "../../../areas/packages/schema";
import { Ago } from "../../kit/money";
import { Status } from "../../kit/status";
import type { Listed } from "../../kit/table";
import { t } from "../../messages/packages";
import { kinds, type Package, pathOf } from "./kinds";

/** Plans or addons, of one product or of all. */
export const packageTable = (kind: PackageKind): Listed<Package> => ({
	label: kinds[kind].t.title,
	rowKey: ({ id }) => id,
	href: ({ id }) => pathOf(kind, id),
	empty: { title: kinds[kind].t.emptyTitle, text: kinds[kind].t.emptyText },
	columns: [
		{ head: kinds[kind].t.one, cell: ({ displayName }) => displayName },
		{ head: t.id, isWide: true, cell: ({ id }) => <code className="quiet">{id}</code> },
		{ head: t.product, isWide: true, cell: ({ productId }) => productId },
		{ head: t.pricing, cell: pricingOf },
		{ head: t.grants, isWide: true, isFigure: true, cell: ({ entitlements }) => String(entitlements.length) },
		{ head: t.version, isWide: true, isFigure: true, cell: ({ versionNumber }) => String(versionNumber) },
		{ head: t.status, cell: ({ status }) => <Status of={status} /> },
		{ head: t.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
	],
});

export const pricingOf = ({ pricingType }: Package): string => (pricingType ? t[pricingType] : t.notPriced);
