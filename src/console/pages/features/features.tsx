import type { Feature } from "../../../areas/features/schema";
import { ListAndPages, ListScreen } from "../../kit/list-screen";
import { Ago } from "../../kit/money";
import { Status, statusOptions } from "../../kit/status";
import { t } from "../../messages/features";
import { words } from "../../messages/shared/words";
import { FeaturePage } from "./feature";
import { featureTypes, meterTypes, optionsOf, usageOf } from "./kinds";
import { NewFeature } from "./new-feature";

const Features = () => (
	<ListAndPages path="/features" list={<FeatureList />} page={(id) => <FeaturePage key={id} id={id} />} />
);
export default Features;

const FeatureList = () => (
	<ListScreen<Feature>
		path="/features"
		text={t.text}
		filters={[
			{ name: "id", label: t.wholeId },
			{ name: "featureType", label: t.type, options: optionsOf(featureTypes) },
			{ name: "meterType", label: t.usage, options: optionsOf(meterTypes) },
			{ name: "status", label: t.status, options: statusOptions(["NEW", "ACTIVE", "SUSPENDED"]) },
		]}
		add={{ name: t.newFeature, scope: "CATALOG:WRITE", dialog: (state) => <NewFeature {...state} /> }}
		table={{
			label: t.title,
			rowKey: ({ id }) => id,
			href: ({ id }) => `/features/${encodeURIComponent(id)}`,
			empty: { title: t.emptyTitle, text: t.emptyText },
			columns: [
				{ head: t.feature, cell: ({ displayName }) => displayName },
				{ head: t.id, isWide: true, cell: ({ id }) => <code className="quiet">{id}</code> },
				{ head: t.type, cell: ({ featureType }) => t[featureType] },
				{ head: t.usage, isWide: true, cell: usageOf },
				{ head: t.units, isWide: true, cell: ({ featureUnits }) => featureUnits ?? "–" },
				{ head: t.status, cell: ({ featureStatus }) => <Status of={featureStatus} /> },
				{ head: words.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
			],
		}}
	/>
);
