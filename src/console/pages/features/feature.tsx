import { useState } from "react";
import type { Feature } from "../../../areas/features/schema";
import { send } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, Dialog } from "../../kit/dialog";
import { Form, TextField } from "../../kit/form";
import { formatNumber } from "../../kit/format";
import { useOne } from "../../kit/list";
import { When } from "../../kit/money";
import { Card, Facts, Page, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Status } from "../../kit/status";
import { Table } from "../../kit/table";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/features";
import { words } from "../../messages/shared/words";
import { may } from "../../session";
import { usageOf, valuesOf } from "./kinds";
import { MeterCard } from "./meter";

export function FeaturePage({ id }: { readonly id: string }) {
	const path = `/features/${encodeURIComponent(id)}`;
	const { data: feature, error, refetch } = useOne<Feature>(path);
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!feature) return <Skeleton lines={6} />;
	const { enumConfiguration } = feature;
	return (
		<Page
			title={feature.displayName}
			beside={<Status of={feature.featureStatus} />}
			text={feature.description ?? undefined}
			parent={{ name: t.title, path: "/features" }}
			curl={path}
			actions={may("CATALOG:WRITE") && <Actions feature={feature} path={path} />}
		>
			<Card>
				<FeatureFacts feature={feature} />
			</Card>
			{feature.featureType === "NUMBER" && feature.meterType !== "None" && <MeterCard path={path} />}
			{enumConfiguration && enumConfiguration.length > 0 && (
				<Card isFlush title={t.values}>
					<Table
						label={t.values}
						rows={enumConfiguration}
						rowKey={({ value }) => value}
						columns={[
							{ head: t.name, cell: ({ displayName }) => displayName },
							{ head: t.value, cell: ({ value }) => <code className="quiet">{value}</code> },
						]}
					/>
				</Card>
			)}
		</Page>
	);
}

function FeatureFacts({ feature }: { readonly feature: Feature }) {
	const { unitTransformation: shown } = feature;
	return (
		<Facts
			of={[
				[t.type, t[feature.featureType]],
				...(feature.featureType === "NUMBER" ? [[t.usage, usageOf(feature)] as const] : []),
				...(feature.featureUnits
					? [[t.units, [feature.featureUnits, feature.featureUnitsPlural].filter(Boolean).join(" / ")] as const]
					: []),
				...(shown
					? [
							[
								t.transformed,
								`${t.transformedText({ divide: formatNumber(shown.divide) })} ${shown.featureUnits ?? ""}`,
							] as const,
						]
					: []),
				...(feature.billedUsage ? [[t.billedUsage, t[feature.billedUsage]] as const] : []),
				...Object.entries(feature.metadata).map(([name, value]) => [name, value] as const),
				[words.created, <When key="created" at={feature.createdAt} />],
				[t.id, <Id key="id" of={feature.id} />],
			]}
		/>
	);
}

function Actions({ feature, path }: { readonly feature: Feature; readonly path: string }) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	const isSuspended = feature.featureStatus === "SUSPENDED";
	return (
		<>
			<ConfirmButton
				label={isSuspended ? t.unarchive : t.archive}
				title={(isSuspended ? t.unarchiveTitle : t.archiveTitle)({ name: feature.displayName })}
				says={isSuspended ? t.unarchiveSays : t.archiveSays}
				isDanger={!isSuspended}
				perform={() => send("POST", `${path}/${isSuspended ? "unarchive" : "archive"}`)}
			/>
			<button type="button" onClick={() => setOpen(true)}>
				{t.edit}
			</button>
			<Dialog title={t.edit} isOpen={isOpen} onClose={close}>
				<Form
					initial={{
						displayName: feature.displayName,
						description: feature.description ?? undefined,
						featureUnits: feature.featureUnits ?? undefined,
						featureUnitsPlural: feature.featureUnitsPlural ?? undefined,
						values: feature.enumConfiguration?.map(({ value, displayName }) => `${value} ${displayName}`).join("\n"),
					}}
					action={t.save}
					submit={({ values, ...body }) =>
						send("PATCH", path, {
							...body,
							...(feature.featureType === "ENUM" && { enumConfiguration: valuesOf(values) }),
						})
					}
					onCancel={close}
					onDone={() => {
						close();
						toast(t.saved);
					}}
				>
					<TextField name="displayName" label={t.name} isRequired />
					<TextField name="description" label={t.description} />
					{feature.featureType === "NUMBER" && (
						<div className="columns">
							<TextField name="featureUnits" label={t.units} hint={t.unitHint} />
							<TextField name="featureUnitsPlural" label={t.unitsPlural} />
						</div>
					)}
					{feature.featureType === "ENUM" && <TextField name="values" label={t.values} hint={t.valuesHint} isLong />}
				</Form>
			</Dialog>
		</>
	);
}
