import { useState } from "react";
import type { EffectiveEntitlement } from "../../../areas/entitlement-sources/schema";
import type { EntitlementsAnswer } from "../../../areas/entitlements/schema";
import { CopyAsCurl } from "../../kit/copy";
import { Dialog } from "../../kit/dialog";
import { formatNumber } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card, Empty, Progress, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Table } from "../../kit/table";
import { t } from "../../messages/customers";
import { Access, idOf, nameOf } from "./access";
import type { OfCustomer } from "./of";
import { Why } from "./why";

/** What the customer may use, each with why. */
export function Entitlements({ customer }: OfCustomer) {
	const path = `/customers/${encodeURIComponent(customer.id)}/entitlements?explain=true`;
	const { data, error, refetch } = useOne<EntitlementsAnswer>(path);
	const [shown, setShown] = useState<string>();
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!data) return <Skeleton lines={6} />;
	const one = data.entitlements.find((each) => idOf(each) === shown);
	return (
		<Card isFlush title={t.entitlements} text={t.entitlementsText} actions={<CopyAsCurl path={path} />}>
			{data.entitlements.length === 0 ? (
				<Empty title={data.accessDeniedReason ?? t.noEntitlements} text={t.noEntitlementsText} />
			) : (
				<Table
					label={t.entitlements}
					rows={data.entitlements}
					rowKey={idOf}
					onOpen={(row) => setShown(idOf(row))}
					columns={[
						{ head: t.feature, cell: nameOf },
						{ head: t.access, cell: (row) => <Access of={row} /> },
						{
							head: t.used,
							isFigure: true,
							cell: (row) => (
								<>
									{formatNumber(row.currentUsage)}
									<span className="narrow small quiet">
										{t.limit}: {limitOf(row)}
									</span>
								</>
							),
						},
						{ head: t.limit, isFigure: true, isWide: true, cell: limitOf },
						{ head: "%", isWide: true, cell: (row) => <Share of={row} /> },
						{ head: t.resets, isWide: true, cell: ({ usagePeriodEnd }) => <Ago at={usagePeriodEnd} /> },
					]}
				/>
			)}
			<Dialog
				kind="drawer"
				title={t.whyTitle({ feature: one ? nameOf(one) : "" })}
				isOpen={one !== undefined}
				onClose={() => setShown(undefined)}
			>
				{one && <Why customerId={customer.id} of={one} />}
			</Dialog>
		</Card>
	);
}

const limitOf = (one: EffectiveEntitlement): string =>
	one.type === "FEATURE" && one.hasUnlimitedUsage ? t.unlimited : formatNumber(one.usageLimit);

function Share({ of }: { readonly of: EffectiveEntitlement }) {
	if (!of.usageLimit || of.currentUsage === undefined) return <span className="quiet">–</span>;
	return <Progress percent={Math.round((of.currentUsage / of.usageLimit) * 100)} label={nameOf(of)} />;
}
