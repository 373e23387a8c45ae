import type { ReactNode } from "react";
import { Link, useSearchParams } from "wouter";
import type { PackageKind } from "../../../areas/packages/schema";
import { withQuery } from "../../api";
import { useList, useOne } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card, Page, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Badge, Status } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t } from "../../messages/packages";
import { may } from "../../session";
import { DraftActions, SoldActions } from "./actions";
import { Charges } from "./charges";
import { Entitlements } from "./entitlements";
import { PackageFacts } from "./facts";
import { kinds, type OfPackage, type Package, pathOf } from "./kinds";

/** A plan or an addon: what is sold of it, or the version that the address names. */
export function PackagePage({ kind, id }: { readonly kind: PackageKind; readonly id: string }) {
	const [search] = useSearchParams();
	const here = pathOf(kind, id);
	const path = withQuery(here, { version: search.get("version") ?? undefined });
	const { data: shown, error, refetch } = useOne<Package>(path);
	const { data: newest } = useOne<readonly Package[]>(`${here}/versions?limit=1`);
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!shown) return <Skeleton lines={8} />;
	const draft = newest?.find(({ status }) => status === "DRAFT");
	const isDraft = shown.status === "DRAFT";
	const { path: listPath, t: texts } = kinds[kind];
	return (
		<Page
			title={shown.displayName}
			beside={
				<>
					<Status of={shown.status} />
					<Badge>{t.versionOf({ number: shown.versionNumber })}</Badge>
				</>
			}
			text={shown.description ?? undefined}
			parent={{ name: texts.title, path: listPath }}
			curl={path}
			actions={
				may("CATALOG:WRITE") &&
				(isDraft ? (
					<DraftActions kind={kind} of={shown} />
				) : (
					<SoldActions kind={kind} of={shown} hasDraft={draft !== undefined} />
				))
			}
		>
			<WhichVersion kind={kind} of={shown} draft={draft} />
			<Card>
				<PackageFacts kind={kind} of={shown} />
			</Card>
			<Charges kind={kind} of={shown} />
			<Entitlements kind={kind} of={shown} />
			<Versions kind={kind} of={shown} />
		</Page>
	);
}

/** Where it is not what is sold, or where there is more to see: a way to the other. */
function WhichVersion({ kind, of: shown, draft }: OfPackage & { readonly draft: Package | undefined }) {
	const here = pathOf(kind, shown.id);
	const note = (text: string, link?: ReactNode) => (
		<div className="note">
			<p>
				{text} {link}
			</p>
		</div>
	);
	if (shown.status === "DRAFT")
		return note(t.isDraft, shown.versionNumber > 1 && <Link href={here}>{t.openSold}</Link>);
	if (shown.isLatest === false) return note(t.isOld, <Link href={here}>{t.openSold}</Link>);
	if (!draft) return null;
	return note(
		t.hasDraft({ number: draft.versionNumber }),
		<Link href={`${here}?version=${draft.versionNumber}`}>{t.openDraft}</Link>,
	);
}

function Versions({ kind, of: shown }: OfPackage) {
	const here = pathOf(kind, shown.id);
	const list = useList<Package>(`${here}/versions`, { limit: 10 });
	return (
		<Card isFlush title={t.versions} text={t.versionsText}>
			<ListTable
				label={t.versions}
				list={list}
				rowKey={({ versionNumber }) => String(versionNumber)}
				href={({ versionNumber }) => `${here}?version=${versionNumber}`}
				empty={{ title: t.versions }}
				columns={[
					{ head: t.version, cell: ({ versionNumber }) => t.versionOf({ number: versionNumber }) },
					{ head: t.name, isWide: true, cell: ({ displayName }) => displayName },
					{
						head: t.status,
						cell: ({ status, isLatest }) =>
							status === "PUBLISHED" && isLatest ? (
								<Badge tone="good">{t.isSold}</Badge>
							) : (
								<Status of={status} tone="quiet" />
							),
					},
					{ head: t.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
				]}
			/>
		</Card>
	);
}
