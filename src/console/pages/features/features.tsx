import { useState } from "react";
import { Route, Switch } from "wouter";
import type { Feature, FeatureStatus } from "../../../areas/features/schema";
import { Choice, Filters, Search } from "../../kit/filters";
import { useList } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card, Page } from "../../kit/page";
import { Status, statusText } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t as common } from "../../messages/common";
import { t } from "../../messages/features";
import { may } from "../../session";
import { FeaturePage } from "./feature";
import { featureTypes, meterTypes, optionsOf, usageOf } from "./kinds";
import { NewFeature } from "./new-feature";

export default function Features() {
	return (
		<Switch>
			<Route path="/features">
				<FeatureList />
			</Route>
			<Route path="/features/:id">{({ id }) => <FeaturePage key={id} id={decodeURIComponent(id)} />}</Route>
		</Switch>
	);
}

const statuses: readonly FeatureStatus[] = ["NEW", "ACTIVE", "SUSPENDED"];

function FeatureList() {
	const list = useList<Feature>("/features", { filters: ["id", "featureType", "meterType", "status"] });
	const [isOpen, setOpen] = useState(false);
	return (
		<Page
			title={t.title}
			text={t.text}
			curl={list.path}
			actions={
				may("CATALOG:WRITE") && (
					<button type="button" className="solid" onClick={() => setOpen(true)}>
						{t.newFeature}
					</button>
				)
			}
		>
			<Card isFlush>
				<Filters>
					<Search list={list} name="id" label={t.wholeId} />
					<Choice list={list} name="featureType" label={t.type} options={optionsOf(featureTypes)} />
					<Choice list={list} name="meterType" label={t.usage} options={optionsOf(meterTypes)} />
					<Choice
						list={list}
						name="status"
						label={common.status}
						options={statuses.map((value) => ({ value, label: statusText(value) }))}
					/>
				</Filters>
				<ListTable
					label={t.title}
					list={list}
					rowKey={({ id }) => id}
					href={({ id }) => `/features/${encodeURIComponent(id)}`}
					empty={{ title: t.emptyTitle, text: t.emptyText }}
					columns={[
						{ head: t.feature, cell: ({ displayName }) => displayName },
						{ head: common.id, isWide: true, cell: ({ id }) => <code className="quiet">{id}</code> },
						{ head: t.type, cell: ({ featureType }) => t[featureType] },
						{ head: t.usage, isWide: true, cell: usageOf },
						{ head: t.units, isWide: true, cell: ({ featureUnits }) => featureUnits ?? "–" },
						{ head: common.status, cell: ({ featureStatus }) => <Status of={featureStatus} /> },
						{ head: common.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
					]}
				/>
			</Card>
			<NewFeature isOpen={isOpen} onClose={() => setOpen(false)} />
		</Page>
	);
}
