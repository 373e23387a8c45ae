import type { PackageKind } from "../../../areas/packages/schema";
import { ListAndPages, ListScreen } from "../../kit/list-screen";
import { statusOptions } from "../../kit/status";
import { t } from "../../messages/packages";
import { kinds, type Package } from "./kinds";
import { useProducts } from "./names";
import { NewPackage } from "./new";
import { PackagePage } from "./package";
import { packageTable } from "./table";

/** Plans or addons, and a page for each. */
export const Packages = ({ kind }: { readonly kind: PackageKind }) => (
	<ListAndPages
		path={kinds[kind].path}
		list={<PackageList kind={kind} />}
		page={(id) => <PackagePage key={id} kind={kind} id={id} />}
	/>
);

function PackageList({ kind }: { readonly kind: PackageKind }) {
	const { path, t: texts } = kinds[kind];
	const products = useProducts()?.map(({ id, displayName }) => ({ value: id, label: displayName }));
	return (
		<ListScreen<Package>
			path={path}
			text={texts.text}
			filters={[
				{ name: "productId", label: t.product, options: products ?? [] },
				{ name: "status", label: t.status, options: statusOptions(["DRAFT", "PUBLISHED", "ARCHIVED"]) },
			]}
			add={{
				name: texts.create,
				scope: "CATALOG:WRITE",
				dialog: (state) => <NewPackage kind={kind} {...state} />,
			}}
			table={packageTable(kind)}
		/>
	);
}
