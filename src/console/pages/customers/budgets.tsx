import { BudgetApproval, type BudgetRequest } from "../../../areas/governance/requests/schema";
import type { GovernanceNode } from "../../../areas/governance/schema";
import { pathTo } from "../../api";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatNumber } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { ListCard } from "../../kit/list-card";
import { Ago, Progress } from "../../kit/values";
import { t } from "../../messages/budgets";
import { may } from "../../session";
import type { OfCustomer } from "./lists";

/** The budgets of the customer's entities by utilization, and the undecided requests. */
export const Budgets = ({ customer }: OfCustomer) => {
	const path = pathTo("/customers", customer.id);
	return (
		<>
			<Requests path={path} />
			<Tree path={path} />
		</>
	);
};

const nameOf = ({ entityId, displayName }: GovernanceNode): string => displayName ?? entityId;

const Tree = ({ path }: { readonly path: string }) => (
	<ListCard<GovernanceNode>
		title={t.budgets}
		text={t.text}
		hasCurl
		path={`${path}/governance`}
		fixed={{ includeUsage: "true", sortBy: "utilization", order: "desc" }}
		filters={[{ name: "entityIdSearch", label: t.search }]}
		rowKey={({ entityId, featureId, currencyId, scopeEntityIds }) =>
			[entityId, featureId ?? currencyId, ...scopeEntityIds].join(" ")
		}
		empty={{ title: t.emptyTitle, text: t.emptyText }}
		columns={[
			{
				head: t.entity,
				cell: (node) => (
					<>
						{nameOf(node)} {node.parentId && <span className="small quiet">{t.within({ parent: node.parentId })}</span>}
					</>
				),
			},
			{
				head: t.of,
				cell: ({ featureId, currencyId, scopeEntityIds }) => (
					<>
						<code className="quiet">{featureId ?? currencyId}</code>{" "}
						{scopeEntityIds.length > 0 && (
							<span className="small quiet">{t.scoped({ scope: scopeEntityIds.join(", ") })}</span>
						)}
					</>
				),
			},
			{ head: t.used, isFigure: true, cell: (node) => <Used of={node} /> },
			{ head: t.limit, isFigure: true, cell: (node) => <Limit of={node} /> },
			{
				head: "%",
				isWide: true,
				cell: (node) =>
					node.utilization === null ? (
						<span className="quiet">–</span>
					) : (
						<Progress percent={Math.round(node.utilization * 100)} label={nameOf(node)} />
					),
			},
			{
				head: t.resets,
				isWide: true,
				cell: ({ usagePeriodEnd }) => (usagePeriodEnd ? <Ago at={usagePeriodEnd} /> : t.never),
			},
			...(may("CUSTOMER:WRITE")
				? [{ head: "", cell: (node: GovernanceNode) => <ChangeLimit path={path} of={node} /> }]
				: []),
		]}
	/>
);

const Used = ({ of: { currentUsage, reservedUsage } }: { readonly of: GovernanceNode }) => (
	<>
		{formatNumber(currentUsage)}
		{reservedUsage !== undefined && (
			<span className="small quiet"> {t.reserved({ amount: formatNumber(reservedUsage) })}</span>
		)}
	</>
);

const Limit = ({ of: { usageLimit, hasSoftLimit, allocated } }: { readonly of: GovernanceNode }) => (
	<>
		{usageLimit === null ? t.noLimit : formatNumber(usageLimit)}
		{(hasSoftLimit || allocated) && <span className="small quiet"> {hasSoftLimit ? t.soft : t.allocated}</span>}
	</>
);

function ChangeLimit({ path, of: node }: { readonly path: string; readonly of: GovernanceNode }) {
	const { entityId, featureId, currencyId, scopeEntityIds, usageLimit } = node;
	const entity = { entity: nameOf(node) };
	const place = { entityId, ...(featureId === undefined ? { currencyId } : { featureId }), scopeEntityIds };
	return (
		<FormButton
			label={t.change}
			title={t.changeTitle(entity)}
			to={["PUT", `${path}/assignments`]}
			texts={t}
			initial={{ usageLimit: usageLimit ?? "" }}
			fields={[{ name: "usageLimit", kind: "number" }]}
			body={({ usageLimit: limit }) => ({ assignments: [{ ...place, usageLimit: limit ?? null }] })}
			action={t.change}
			onDone={() => t.changed(entity)}
		/>
	);
}

const Requests = ({ path }: { readonly path: string }) => (
	<ListCard<BudgetRequest>
		title={t.requests}
		text={t.requestsText}
		path={`${path}/budget-requests`}
		fixed={{ status: "PENDING" }}
		isFirstPage
		isHiddenEmpty
		empty={{ title: t.requests, text: t.requestsText }}
		columns={[
			{ head: t.entity, cell: ({ entityId }) => entityId },
			{ head: t.of, cell: ({ featureId, currencyId }) => <code className="quiet">{featureId ?? currencyId}</code> },
			{ head: t.more, isFigure: true, cell: ({ amount }) => formatNumber(amount) },
			{ head: t.duration, isWide: true, cell: ({ duration }) => t[duration] },
			{ head: t.reason, isWide: true, cell: ({ reason }) => reason ?? "–" },
			{ head: t.expires, isWide: true, cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
			...(may("CUSTOMER:WRITE") ? [{ head: "", cell: (request: BudgetRequest) => <Decide on={request} /> }] : []),
		]}
	/>
);

function Decide({ on: { id, entityId, amount } }: { readonly on: BudgetRequest }) {
	const entity = { entity: entityId };
	const path = pathTo("/budget-requests", id);
	return (
		<>
			<FormButton
				label={t.approve}
				title={t.approveTitle(entity)}
				to={["POST", `${path}/approve`]}
				schema={BudgetApproval}
				texts={t}
				initial={{ amount }}
				fields={["amount"]}
				action={t.approve}
				onDone={() => t.approved(entity)}
			/>
			<ConfirmButton {...confirmation(t, "decline", entity)} perform={["POST", `${path}/decline`, {}]} />
		</>
	);
}
