import { useState } from "react";
import type { EffectiveEntitlement } from "../../../areas/entitlement-sources/schema";
import type { EntitlementSource } from "../../../areas/entitlement-sources/schema.explanation";
import { pathTo, withQuery } from "../../api";
import { CopyAsCurl } from "../../kit/copy";
import { formatNumber } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Table } from "../../kit/table";
import { Ago, Badge, statusText, When } from "../../kit/values";
import { t } from "../../messages/customers";

export const nameOf = (one: EffectiveEntitlement): string =>
	one.type === "FEATURE" ? (one.feature?.displayName ?? "") : one.currency.displayName;

export const idOf = (one: EffectiveEntitlement): string =>
	one.type === "FEATURE" ? (one.feature?.id ?? "") : one.currency.currencyId;

export const Access = ({ of }: { readonly of: Pick<EffectiveEntitlement, "isGranted" | "accessDeniedReason"> }) => (
	<Badge tone={of.isGranted ? "good" : "bad"}>{of.isGranted ? t.granted : (of.accessDeniedReason ?? t.refused)}</Badge>
);

interface WhyProps {
	readonly customerId: string;
	readonly of: EffectiveEntitlement;
}

/** Explains an entitlement, and checks further usage. */
export const Why = ({ customerId, of }: WhyProps) => (
	<>
		<Explained of={of} />
		{of.currentUsage !== undefined && <Check customerId={customerId} of={of} />}
	</>
);

function Explained({ of }: Pick<WhyProps, "of">) {
	const { explanation } = of;
	if (!explanation) return <Access of={of} />;
	return (
		<>
			<p>
				<Access of={of} />
			</p>
			<p>{explanation.text}</p>
			{explanation.sources.length > 0 && (
				<section className="story">
					<h3>{t.sources}</h3>
					<Table
						label={t.sources}
						rows={explanation.sources}
						rowKey={({ kind, id }) => `${kind} ${id}`}
						columns={sources}
					/>
				</section>
			)}
			{explanation.usage && explanation.usage.lastEvents.length > 0 && (
				<section className="story">
					<h3>{t.counted}</h3>
					<Table
						label={t.counted}
						rows={explanation.usage.lastEvents}
						rowKey={({ idempotencyKey }) => idempotencyKey}
						columns={[
							{ head: t.counted, cell: ({ eventName }) => <code>{eventName}</code> },
							{ head: t.value, isFigure: true, cell: ({ value }) => String(value ?? "–") },
							{ head: t.day, cell: ({ timestamp }) => <When at={timestamp} /> },
						]}
					/>
				</section>
			)}
		</>
	);
}

const sources = [
	{
		head: t.source,
		cell: ({ kind, id, parts }: EntitlementSource) => (
			<>
				{statusText(kind)} <code className="quiet">{parts.map((part) => part.id).join(", ") || id.slice(0, 8)}</code>
			</>
		),
	},
	{
		head: t.limit,
		isFigure: true,
		cell: ({ usageLimit, hasUnlimitedUsage, enumValues }: EntitlementSource) =>
			hasUnlimitedUsage ? t.unlimited : enumValues.length > 0 ? enumValues.join(", ") : formatNumber(usageLimit),
	},
	{ head: t.until, isWide: true, cell: ({ endDate }: EntitlementSource) => <Ago at={endDate} /> },
	{
		head: t.outcome,
		cell: ({ outcome, isShown }: EntitlementSource) => (
			<Badge tone={isShown ? "good" : "quiet"}>{statusText(outcome)}</Badge>
		),
	},
];

/** Runs the check that the product makes, and explains the answer. */
function Check({ customerId, of }: WhyProps) {
	const [amount, setAmount] = useState("1");
	const [path, setPath] = useState<string>();
	const { data, error } = useOne<EffectiveEntitlement>(path);
	return (
		<section className="story">
			<h3>{t.askTitle}</h3>
			<p className="quiet small">{t.askText}</p>
			<form
				className="with-unit"
				onSubmit={(event) => {
					event.preventDefault();
					setPath(
						withQuery(`${pathTo("/customers", customerId)}/entitlements/check`, {
							[of.type === "FEATURE" ? "featureId" : "currencyId"]: idOf(of),
							requestedUsage: amount,
							explain: true,
						}),
					);
				}}
			>
				<input
					type="number"
					step="any"
					aria-label={`${t.requested}: ${nameOf(of)}`}
					value={amount}
					onChange={(event) => setAmount(event.target.value)}
				/>
				<button type="submit">{t.ask}</button>
			</form>
			<Problem error={error} />
			{path && !data && !error && <Skeleton lines={2} />}
			{data?.explanation && (
				<div className={data.isGranted ? "note" : "note warn"}>
					<p>{data.explanation.text}</p>
				</div>
			)}
			{path && <CopyAsCurl path={path} />}
		</section>
	);
}
