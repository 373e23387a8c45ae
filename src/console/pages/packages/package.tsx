import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useSearchParams } from "wouter";
import { AddonUpdate } from "../../../areas/addons/schema";
import type { PackageKind } from "../../../areas/packages/schema";
import { PlanUpdate } from "../../../areas/plans/schema";
import { type ApiError, send, withQuery } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation, DialogButton } from "../../kit/dialog";
import { formatNumber } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { useOne } from "../../kit/list";
import { ListCard } from "../../kit/list-card";
import { Card, Facts, Loaded, Page } from "../../kit/page";
import { createdColumn } from "../../kit/table";
import { toast } from "../../kit/toasts";
import { Badge, Badges, Status, To, When } from "../../kit/values";
import { t } from "../../messages/packages";
import { t as terms } from "../../messages/prices/terms";
import { may } from "../../session";
import { termText } from "../prices/term";
import { Sell } from "../subscriptions/sell";
import { Charges } from "./charges";
import { Entitlements } from "./entitlements";
import { kinds, type OfPackage, type Package, pathOf, pricingOf } from "./kinds";
import { commitmentsText, thresholdsText } from "./price-text";
import { PublishButton } from "./publish";

/** A plan or an addon: the version on sale, or the one that the address names. */
export function PackagePage({ kind, id }: { readonly kind: PackageKind; readonly id: string }) {
	const [search] = useSearchParams();
	const path = withQuery(pathOf(kind, id), { version: search.get("version") ?? undefined });
	const { data: newest } = useOne<readonly Package[]>(`${pathOf(kind, id)}/versions?limit=1`);
	const draft = newest?.find(({ status }) => status === "DRAFT");
	return (
		<Loaded<Package> path={path}>
			{(shown) => (
				<Page
					title={shown.displayName}
					badge={
						<>
							<Status of={shown.status} />
							<Badge>{t.versionOf({ number: shown.versionNumber })}</Badge>
						</>
					}
					text={shown.description}
					parent={{ name: kinds[kind].t.title, path: kinds[kind].path }}
					curl={path}
					actions={may("CATALOG:WRITE") && <Actions kind={kind} of={shown} hasDraft={draft !== undefined} />}
				>
					<VersionNote kind={kind} of={shown} draft={draft} />
					<Card>
						<PackageFacts of={shown} />
					</Card>
					<Charges kind={kind} of={shown} />
					<Entitlements kind={kind} of={shown} />
					<Versions kind={kind} of={shown} />
				</Page>
			)}
		</Loaded>
	);
}

/** Links a version that is not on sale to the one that is, and the latter to its draft. */
function VersionNote({ kind, of: shown, draft }: OfPackage & { readonly draft: Package | undefined }) {
	const path = pathOf(kind, shown.id);
	const toSold = <Link href={path}>{t.openSold}</Link>;
	const note = (text: string, link: React.ReactNode) => (
		<div className="note">
			<p>
				{text} {link}
			</p>
		</div>
	);
	if (shown.status === "DRAFT") return note(t.isDraft, shown.versionNumber > 1 && toSold);
	if (shown.isLatest === false) return note(t.isOld, toSold);
	if (!draft) return null;
	const number = draft.versionNumber;
	return note(t.hasDraft({ number }), <Link href={`${path}?version=${number}`}>{t.openDraft}</Link>);
}

const linksTo = (list: string, ids: readonly string[]) => (
	<Badges>
		{ids.map((id) => (
			<To key={id} list={list} id={id} />
		))}
	</Badges>
);

function PackageFacts({ of: one }: Pick<OfPackage, "of">) {
	const isAddon = "maxQuantity" in one;
	const { parentPlanId, defaultTrialConfig: trial, compatibleAddonIds: addons } = isAddon ? noPlan : one;
	const { dependencies, maxQuantity } = isAddon ? one : noAddon;
	const trialText = trial?.units === "DAY" ? t.trialDays : t.trialMonths;
	return (
		<Facts
			of={{
				[t.product]: <To list="/products" id={one.productId} />,
				[t.pricing]: pricingOf(one),
				[t.basePlan]: parentPlanId && linksTo("/plans", [parentPlanId]),
				[t.trial]: trial && trial.duration > 0 && trialText({ count: formatNumber(trial.duration) }),
				[t.addons]: !isAddon && (addons ? (addons.length > 0 ? linksTo("/addons", addons) : t.none) : t.allAddons),
				[t.spendThresholds]: thresholdsText(one.spendThresholds),
				[terms.term]: termText(one.term),
				[t.commitments]: commitmentsText(one.commitments),
				[t.maxQuantity]: maxQuantity !== null && formatNumber(maxQuantity),
				[t.dependencies]: dependencies && dependencies.length > 0 && linksTo("/addons", dependencies),
				[t.createdAt]: <When at={one.createdAt} />,
				[t.id]: <Id of={one.id} />,
			}}
			metadata={one.metadata}
		/>
	);
}

const noPlan = { parentPlanId: null, defaultTrialConfig: null, compatibleAddonIds: null };
const noAddon = { dependencies: null, maxQuantity: null };

const Versions = ({ kind, of: { id } }: OfPackage) => (
	<ListCard<Package>
		title={t.versions}
		text={t.versionsText}
		path={`${pathOf(kind, id)}/versions`}
		limit={10}
		rowKey={({ versionNumber }) => String(versionNumber)}
		href={({ versionNumber }) => `${pathOf(kind, id)}?version=${versionNumber}`}
		columns={[
			{ head: t.version, cell: ({ versionNumber: number }) => t.versionOf({ number }) },
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
			createdColumn,
		]}
	/>
);

const Actions = ({ hasDraft, ...version }: OfPackage & { readonly hasDraft: boolean }) =>
	version.of.status === "DRAFT" ? <DraftActions {...version} /> : <SoldActions {...version} hasDraft={hasDraft} />;

function SoldActions({ kind, of, hasDraft }: OfPackage & { readonly hasDraft: boolean }) {
	const path = pathOf(kind, of.id);
	const [, navigate] = useLocation();
	const client = useQueryClient();
	const drafting = useMutation({
		mutationFn: () => send<{ data: Package }>("POST", `${path}/draft`),
		onSuccess: async ({ data: { versionNumber: number } }) => {
			await client.invalidateQueries();
			toast(t.drafted({ number }));
			navigate(`${path}?version=${number}`);
		},
		onError: (error: ApiError) => toast(error.message),
	});
	if (of.status === "ARCHIVED" || of.isLatest === false) return null;
	const isSellable = kind === "PLAN" && of.pricingType !== "CUSTOM" && may("SUBSCRIPTION:WRITE");
	return (
		<>
			<ConfirmButton
				{...confirmation(t, "archive", { name: of.displayName })}
				isDanger
				perform={["POST", `${path}/archive`]}
			/>
			{!hasDraft && (
				<button type="button" disabled={drafting.isPending} onClick={() => drafting.mutate()}>
					{t.newVersion}
				</button>
			)}
			{isSellable && <DialogButton label={t.sell} isMain dialog={(opening) => <Sell planId={of.id} {...opening} />} />}
		</>
	);
}

function DraftActions({ kind, of }: OfPackage) {
	const path = pathOf(kind, of.id);
	const isFirst = of.versionNumber === 1;
	return (
		<>
			<ConfirmButton
				{...confirmation(t, "discard", { name: of.displayName })}
				{...(isFirst && { says: t.discardFirstSays })}
				isDanger
				perform={["DELETE", `${path}/draft`]}
				leadsTo={isFirst ? kinds[kind].path : path}
			/>
			<FormButton
				label={t.edit}
				to={["PATCH", path]}
				schema={kind === "PLAN" ? PlanUpdate : AddonUpdate}
				texts={t}
				edited={of}
				fields={["displayName", "description", ...(kind === "ADDON" ? ["maxQuantity"] : [])]}
				onDone={() => t.saved}
			/>
			<PublishButton kind={kind} of={of} />
		</>
	);
}
