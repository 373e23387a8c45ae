import { useState } from "react";
import type { PackageKind, PackageStatus } from "../../../areas/packages/schema";
import { Choice, Filters } from "../../kit/filters";
import { useList } from "../../kit/list";
import { Card, Page } from "../../kit/page";
import { statusText } from "../../kit/status";
import { t as common } from "../../messages/common";
import { t } from "../../messages/packages";
import { may } from "../../session";
import { kinds, type Package } from "./kinds";
import { useProducts } from "./names";
import { NewPackage } from "./new";
import { PackageTable } from "./table";

const statuses: readonly PackageStatus[] = ["DRAFT", "PUBLISHED", "ARCHIVED"];

export function PackageList({ kind }: { readonly kind: PackageKind }) {
	const { path, t: texts } = kinds[kind];
	const list = useList<Package>(path, { filters: ["productId", "status"] });
	const products = useProducts();
	const [isOpen, setOpen] = useState(false);
	return (
		<Page
			title={texts.title}
			text={texts.text}
			curl={list.path}
			actions={
				may("CATALOG:WRITE") && (
					<button type="button" className="solid" onClick={() => setOpen(true)}>
						{texts.create}
					</button>
				)
			}
		>
			<Card isFlush>
				<Filters>
					<Choice
						list={list}
						name="productId"
						label={t.product}
						options={products.map(({ id, displayName }) => ({ value: id, label: displayName }))}
					/>
					<Choice
						list={list}
						name="status"
						label={common.status}
						options={statuses.map((value) => ({ value, label: statusText(value) }))}
					/>
				</Filters>
				<PackageTable kind={kind} list={list} />
			</Card>
			<NewPackage kind={kind} isOpen={isOpen} onClose={() => setOpen(false)} />
		</Page>
	);
}
