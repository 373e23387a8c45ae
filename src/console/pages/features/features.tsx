import {
	type Feature,
	FeatureCreate,
	type FeatureType,
	FeatureUpdate,
	type MeterType,
} from "../../../areas/features/schema";
import { pathTo } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatNumber } from "../../kit/format";
import { FormButton, FormDialog } from "../../kit/forms/form-dialog";
import type { FieldSpec } from "../../kit/forms/form-fields";
import type { Entered } from "../../kit/forms/form-state";
import { ListAndPages, ListScreen } from "../../kit/list-card";
import { Card, Facts, Loaded, Page } from "../../kit/page";
import { createdColumn, idColumn, Table } from "../../kit/table";
import { optionsOf, Status, statusOptions, When } from "../../kit/values";
import { t } from "../../messages/features";
import { may } from "../../session";
import { MeterCard } from "./meter";

const Features = () => <ListAndPages path="/features" list={<FeatureList />} page={(id) => <FeaturePage id={id} />} />;
export default Features;

const featureTypes: readonly FeatureType[] = ["BOOLEAN", "NUMBER", "ENUM"];
const meterTypes: readonly MeterType[] = ["None", "FLUCTUATING", "INCREMENTAL"];

const usageOf = ({ featureType, meterType }: Feature): string => (featureType === "NUMBER" ? t[meterType] : "–");

const FeatureList = () => (
	<ListScreen<Feature>
		path="/features"
		texts={t}
		filters={[
			{ name: "id", label: t.wholeId },
			{ name: "featureType", label: t.type, options: optionsOf(t, featureTypes) },
			{ name: "meterType", label: t.usage, options: optionsOf(t, meterTypes) },
			{ name: "status", label: t.status, options: statusOptions(["NEW", "ACTIVE", "SUSPENDED"]) },
		]}
		columns={[
			{ head: t.feature, cell: ({ displayName }) => displayName },
			idColumn,
			{ head: t.type, cell: ({ featureType }) => t[featureType] },
			{ head: t.usage, isWide: true, cell: usageOf },
			{ head: t.featureUnits, isWide: true, cell: ({ featureUnits }) => featureUnits ?? "–" },
			{ head: t.status, cell: ({ featureStatus }) => <Status of={featureStatus} /> },
			createdColumn,
		]}
		add={{
			label: t.newFeature,
			scope: "CATALOG:WRITE",
			dialog: (opening) => (
				<FormDialog
					{...opening}
					title={t.newFeature}
					to={["POST", "/features"]}
					schema={FeatureCreate}
					texts={t}
					initial={{ featureType: "BOOLEAN", meterType: "None" }}
					fields={[
						"displayName",
						{ name: "id", from: "displayName", prefix: "feature" },
						"featureType",
						{ name: "meterType", when: isNumber },
						...typeFields,
						"description",
					]}
					body={bodyOf}
					leadsTo={({ id }: Feature) => pathTo("/features", id)}
					onDone={({ displayName: name }: Feature) => t.created({ name })}
				/>
			),
		}}
	/>
);

const isNumber = ({ featureType }: Entered): boolean => featureType === "NUMBER";
const isEnum = ({ featureType }: Entered): boolean => featureType === "ENUM";

const typeFields: readonly FieldSpec[] = [
	[
		{ name: "featureUnits", when: isNumber },
		{ name: "featureUnitsPlural", when: isNumber },
	],
	{ name: "enumConfiguration", kind: "long", when: isEnum, isRequired: true },
];

/** Leaves out the values of other types. */
function bodyOf({ meterType, featureUnits, featureUnitsPlural, enumConfiguration, ...body }: Entered) {
	if (isNumber(body)) return { ...body, meterType, featureUnits, featureUnitsPlural };
	return isEnum(body) ? { ...body, enumConfiguration: valuesIn(enumConfiguration) } : body;
}

/** Each line is a value, then its name. */
const valuesIn = (text: unknown) =>
	String(text ?? "")
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "")
		.map((line) => {
			const [value = "", ...name] = line.split(/\s+/);
			return { value, displayName: name.join(" ") || value };
		});

const FeaturePage = ({ id }: { readonly id: string }) => (
	<Loaded<Feature> path={pathTo("/features", id)}>
		{(feature) => (
			<Page
				title={feature.displayName}
				badge={<Status of={feature.featureStatus} />}
				text={feature.description}
				parent={{ name: t.title, path: "/features" }}
				curl={pathTo("/features", id)}
				actions={may("CATALOG:WRITE") && <Actions feature={feature} />}
			>
				<Card>
					<FeatureFacts feature={feature} />
				</Card>
				{feature.featureType === "NUMBER" && feature.meterType !== "None" && (
					<MeterCard path={pathTo("/features", id)} />
				)}
				{feature.enumConfiguration && feature.enumConfiguration.length > 0 && (
					<Card isFlush title={t.values}>
						<Table
							label={t.values}
							rows={feature.enumConfiguration}
							rowKey={({ value }) => value}
							columns={[
								{ head: t.name, cell: ({ displayName }) => displayName },
								{ head: t.value, cell: ({ value }) => <code className="quiet">{value}</code> },
							]}
						/>
					</Card>
				)}
			</Page>
		)}
	</Loaded>
);

const FeatureFacts = ({ feature }: { readonly feature: Feature }) => {
	const { featureUnits: unit, unitTransformation: shown, billedUsage } = feature;
	return (
		<Facts
			of={{
				[t.type]: t[feature.featureType],
				[t.usage]: feature.featureType === "NUMBER" && usageOf(feature),
				[t.featureUnits]: unit && [unit, feature.featureUnitsPlural].filter(Boolean).join(" / "),
				[t.transformed]:
					shown && `${t.transformedText({ divide: formatNumber(shown.divide) })} ${shown.featureUnits ?? ""}`,
				[t.billedUsage]: billedUsage && t[billedUsage],
				[t.createdAt]: <When at={feature.createdAt} />,
				[t.id]: <Id of={feature.id} />,
			}}
			metadata={feature.metadata}
		/>
	);
};

function Actions({ feature }: { readonly feature: Feature }) {
	const { displayName: name, featureType, enumConfiguration: values } = feature;
	const path = pathTo("/features", feature.id);
	const isSuspended = feature.featureStatus === "SUSPENDED";
	const action = isSuspended ? "unarchive" : "archive";
	return (
		<>
			<ConfirmButton
				{...confirmation(t, action, { name })}
				isDanger={!isSuspended}
				perform={["POST", `${path}/${action}`]}
			/>
			<FormButton
				label={t.edit}
				to={["PATCH", path]}
				schema={FeatureUpdate}
				texts={t}
				edited={feature}
				initial={{ featureType, enumConfiguration: values?.map((one) => `${one.value} ${one.displayName}`).join("\n") }}
				fields={["displayName", "description", ...typeFields]}
				body={(entered) => {
					const { featureType: _, meterType: __, ...body } = bodyOf(entered) as Entered;
					return body;
				}}
				onDone={() => t.saved}
			/>
		</>
	);
}
