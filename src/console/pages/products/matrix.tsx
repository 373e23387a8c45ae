import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Feature } from "../../../areas/features/schema";
import type { PackageEntitlement } from "../../../areas/packages/entitlements/schema";
import type { Plan } from "../../../areas/plans/schema";
import { get, type ListAnswer, pathTo, withQuery } from "../../api";
import { CopyAsCurl } from "../../kit/copy";
import { Card, Empty, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Table } from "../../kit/table";
import { toast } from "../../kit/toasts";
import { Badge, To } from "../../kit/values";
import { t } from "../../messages/matrix";
import { may } from "../../session";
import { useFeatures } from "../packages/kinds";
import { type Change, isReadable, type MatrixPlan, on, saveChanges, textOf } from "./matrix-cells";

/** More columns are hard to read. Further plans have their own pages. */
const plansMax = 8;

/** Reads the published and draft plans, oldest first, with the entitlements of their newest versions. */
async function plansOf(productId: string): Promise<MatrixPlan[]> {
	const query = { productId, status: "DRAFT,PUBLISHED", limit: plansMax };
	const { data: plans } = await get<ListAnswer<Plan>>("/plans", query);
	return Promise.all(
		plans.toReversed().map(async ({ id }) => {
			const path = pathTo("/plans", id);
			const [plan] = (await get<ListAnswer<Plan>>(`${path}/versions`, { limit: 1 })).data;
			if (!plan) throw new Error(`The plan ${id} has a version.`);
			const { data } = await get<ListAnswer<PackageEntitlement>>(`${path}/entitlements`, {
				version: plan.versionNumber,
			});
			return { plan, entitlements: data };
		}),
	);
}

const keyOf = (column: MatrixPlan, feature: Feature): string => `${column.plan.id} ${feature.id}`;

/** The entitlements of plans by feature. Changes are saved as drafts. */
export function Matrix({ productId }: { readonly productId: string }) {
	const client = useQueryClient();
	const { features } = useFeatures();
	const [edited, setEdited] = useState<Readonly<Record<string, string>>>({});
	const { data: columns, error } = useQuery({ queryKey: ["matrix", productId], queryFn: () => plansOf(productId) });
	const changes = (columns ?? []).flatMap((column) =>
		features.flatMap((feature): Change[] => {
			const text = edited[keyOf(column, feature)]?.trim();
			return text === undefined || text === textOf(column, feature) ? [] : [{ column, feature, text }];
		}),
	);
	const changed = (columns ?? []).filter((column) => changes.some((change) => change.column === column));
	const saving = useMutation({
		mutationFn: async () => {
			for (const column of changed)
				await saveChanges(
					column,
					changes.filter((change) => change.column === column),
				);
		},
		onSuccess: () => {
			setEdited({});
			toast(t.saved({ plans: changed.length }));
		},
		// After a failure, the drafts that were saved are shown.
		onSettled: () => client.invalidateQueries(),
	});
	if (error) return <Problem error={error} />;
	if (!columns) return <Skeleton lines={6} />;
	if (columns.length === 0) return <Empty title={t.empty} text={t.emptyText} />;
	const wrong = changes.find(({ feature, text }) => !isReadable(feature, text));
	const shown = features.filter(
		(feature) => feature.featureStatus !== "SUSPENDED" || columns.some((column) => textOf(column, feature) !== ""),
	);
	const cellName = (column: MatrixPlan, feature: Feature) =>
		t.cell({ feature: feature.displayName, plan: column.plan.displayName });
	return (
		<Card
			isFlush
			title={t.tab}
			text={t.text}
			actions={<CopyAsCurl path={withQuery("/plans", { productId, limit: plansMax })} />}
		>
			<div className="matrix">
				<Table
					label={t.tab}
					rows={shown}
					rowKey={({ id }) => id}
					columns={[
						{
							head: t.feature,
							cell: ({ id, displayName }) => (
								<To list="/features" id={id}>
									{displayName}
								</To>
							),
						},
						...columns.map((column) => ({
							head: `${column.plan.displayName}${column.plan.status === "DRAFT" ? ` (${t.draft})` : ""}`,
							cell: (feature: Feature) => (
								<Cell
									feature={feature}
									name={cellName(column, feature)}
									text={edited[keyOf(column, feature)] ?? textOf(column, feature)}
									onText={(text) => setEdited({ ...edited, [keyOf(column, feature)]: text })}
								/>
							),
						})),
					]}
				/>
			</div>
			<footer className="matrix">
				<p className="hint">{wrong ? t.notANumber({ cell: cellName(wrong.column, wrong.feature) }) : t.hint}</p>
				<Problem error={saving.error} />
				{changes.length > 0 && (
					<div className="actions">
						<Badge tone="info">{t.changed({ count: changes.length, plans: changed.length })}</Badge>
						<button type="button" onClick={() => setEdited({})}>
							{t.undo}
						</button>
						<button
							type="button"
							className="solid"
							disabled={wrong !== undefined || saving.isPending}
							onClick={() => saving.mutate()}
						>
							{t.save}
						</button>
					</div>
				)}
			</footer>
		</Card>
	);
}

interface CellProps {
	readonly feature: Feature;
	readonly name: string;
	readonly text: string;
	readonly onText: (text: string) => void;
}

function Cell({ feature, name, text, onText }: CellProps) {
	const isFixed = !may("CATALOG:WRITE");
	if (feature.featureType === "BOOLEAN")
		return (
			<input
				type="checkbox"
				aria-label={name}
				disabled={isFixed}
				checked={text === on}
				onChange={({ target }) => onText(target.checked ? on : "")}
			/>
		);
	return (
		<input
			aria-label={name}
			aria-invalid={isReadable(feature, text.trim()) ? undefined : true}
			disabled={isFixed}
			value={text}
			onChange={({ target }) => onText(target.value)}
		/>
	);
}
