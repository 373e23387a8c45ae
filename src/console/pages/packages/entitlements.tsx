import { useState } from "react";
import { Link } from "wouter";
import type { PackageEntitlement } from "../../../areas/packages/entitlements/schema";
import { withQuery } from "../../api";
import { CopyAsCurl } from "../../kit/copy";
import { Dialog } from "../../kit/dialog";
import { useOne } from "../../kit/list";
import { Card, Empty, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Badge } from "../../kit/status";
import { Table } from "../../kit/table";
import { t } from "../../messages/packages";
import { may } from "../../session";
import { EditEntitlement } from "./edit-entitlement";
import { type OfPackage, pathOf } from "./kinds";
import { useFeatures } from "./names";
import { NewEntitlement } from "./new-entitlement";
import { grantText, notesOf, resetText } from "./price-text";

export const entitlementsPath = ({ kind, of }: OfPackage): string =>
	withQuery(`${pathOf(kind, of.id)}/entitlements`, { version: of.versionNumber });

/** What a version grants; a draft's are changed here. */
export function Entitlements(props: OfPackage) {
	const { of } = props;
	const path = entitlementsPath(props);
	const { data: rows, error } = useOne<readonly PackageEntitlement[]>(path);
	const { nameOf } = useFeatures();
	const [isAdding, setAdding] = useState(false);
	const [edited, setEdited] = useState<PackageEntitlement>();
	const isOpen = of.status === "DRAFT" && may("CATALOG:WRITE");
	const name = (one: PackageEntitlement) => one.displayNameOverride ?? nameOf(one.id);
	const add = isOpen && (
		<button type="button" onClick={() => setAdding(true)}>
			{t.addEntitlement}
		</button>
	);
	return (
		<Card
			isFlush
			title={t.entitlements}
			text={t.entitlementsText}
			actions={
				<>
					<CopyAsCurl path={path} />
					{add}
				</>
			}
		>
			<Problem error={error} />
			{!rows && !error && <Skeleton lines={4} />}
			{rows?.length === 0 && <Empty title={t.noEntitlements} text={t.noEntitlementsText} />}
			{rows && rows.length > 0 && (
				<Table
					label={t.entitlements}
					rows={rows}
					rowKey={({ id }) => id}
					onOpen={isOpen ? setEdited : undefined}
					columns={[
						{
							head: t.what,
							cell: (one) =>
								one.type === "FEATURE" && !isOpen ? (
									<Link href={`/features/${encodeURIComponent(one.id)}`}>{name(one)}</Link>
								) : (
									name(one)
								),
						},
						{ head: t.howMuch, cell: grantText },
						{ head: t.resets, isWide: true, cell: resetText },
						{
							head: t.notes,
							isWide: true,
							cell: (one) => (
								<span className="badges">
									{notesOf(one).map((note) => (
										<Badge key={note}>{note}</Badge>
									))}
								</span>
							),
						},
					]}
				/>
			)}
			<Dialog title={t.addEntitlement} isOpen={isAdding} onClose={() => setAdding(false)}>
				<NewEntitlement {...props} taken={rows?.map(({ id }) => id) ?? []} onClose={() => setAdding(false)} />
			</Dialog>
			<Dialog
				title={edited ? t.changeEntitlement({ name: name(edited) }) : ""}
				isOpen={edited !== undefined}
				onClose={() => setEdited(undefined)}
			>
				{edited && (
					<EditEntitlement {...props} entitlement={edited} name={name(edited)} onClose={() => setEdited(undefined)} />
				)}
			</Dialog>
		</Card>
	);
}
