import { useState } from "react";
import type { EffectiveEntitlement } from "../../../areas/entitlement-sources/schema";
import type { EntitlementsAnswer } from "../../../areas/entitlements/schema";
import { pathTo } from "../../api";
import { CopyAsCurl } from "../../kit/copy";
import { DetailDialog } from "../../kit/dialog";
import { formatNumber } from "../../kit/format";
import { Card, Empty, Loaded } from "../../kit/page";
import { Table } from "../../kit/table";
import { Ago, Progress } from "../../kit/values";
import { t } from "../../messages/customers";
import type { OfCustomer } from "./lists";
import { Access, idOf, nameOf, Why } from "./why";

/** The entitlements of the customer, each with its explanation. */
export function Entitlements({ customer }: OfCustomer) {
	const path = `${pathTo("/customers", customer.id)}/entitlements?explain=true`;
	const [shown, setShown] = useState<string>();
	return (
		<Loaded<EntitlementsAnswer> path={path}>
			{({ entitlements, accessDeniedReason }) => (
				<Card isFlush title={t.entitlements} text={t.entitlementsText} actions={<CopyAsCurl path={path} />}>
					{entitlements.length === 0 ? (
						<Empty title={accessDeniedReason ?? t.noEntitlements} text={t.noEntitlementsText} />
					) : (
						<Table
							label={t.entitlements}
							rows={entitlements}
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
					<DetailDialog
						item={entitlements.find((each) => idOf(each) === shown)}
						title={(one) => t.whyTitle({ feature: nameOf(one) })}
						onClose={() => setShown(undefined)}
					>
						{(one) => <Why customerId={customer.id} of={one} />}
					</DetailDialog>
				</Card>
			)}
		</Loaded>
	);
}

const limitOf = (one: EffectiveEntitlement): string =>
	one.type === "FEATURE" && one.hasUnlimitedUsage ? t.unlimited : formatNumber(one.usageLimit);

function Share({ of }: { readonly of: EffectiveEntitlement }) {
	if (!of.usageLimit || of.currentUsage === undefined) return <span className="quiet">–</span>;
	return <Progress percent={Math.round((of.currentUsage / of.usageLimit) * 100)} label={nameOf(of)} />;
}
