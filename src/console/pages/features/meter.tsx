import type { Meter, MeterCondition, MeterFunction } from "../../../areas/features/schema";
import { ApiError } from "../../api";
import { CopyAsCurl } from "../../kit/copy";
import { FormButton } from "../../kit/forms/form-dialog";
import { type Entered, useForm } from "../../kit/forms/form-state";
import { useOne } from "../../kit/list";
import { Card, Empty, Facts, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { optionsOf } from "../../kit/values";
import { t } from "../../messages/features";
import { may } from "../../session";
import { Conditions, type Groups } from "./conditions";

const functions: readonly MeterFunction[] = ["COUNT", "SUM", "MAX", "MIN", "AVG", "UNIQUE", "LATEST", "PERCENTILE"];

/** The events that count for a feature, and their aggregation. */
export function MeterCard({ path }: { readonly path: string }) {
	const meterPath = `${path}/meter`;
	const { data: meter, error, isPending, refetch } = useOne<Meter>(meterPath);
	const isMissing = error instanceof ApiError && error.status === 404;
	const change = may("CATALOG:WRITE") && <ChangeButton path={path} meter={meter} />;
	const actions = meter && (
		<>
			<CopyAsCurl path={meterPath} />
			{change}
		</>
	);
	return (
		<Card title={t.meter} text={t.meterText} actions={actions}>
			{isPending && <Skeleton lines={2} />}
			{isMissing && !meter && <Empty title={t.noMeter} text={t.noMeterText} action={change} />}
			{!isMissing && <Problem error={error} retry={() => void refetch()} />}
			{meter && <MeterFacts meter={meter} />}
		</Card>
	);
}

const MeterFacts = ({ meter: { aggregation, filters } }: { readonly meter: Meter }) => (
	<Facts
		of={{
			[t.aggregation]: t[aggregation.function],
			[t.field]: aggregation.field && <code>{aggregation.field}</code>,
			[t.percentile]: aggregation.percentile,
			[t.counts]:
				filters.map(({ conditions }) => conditions.map(conditionText).join(` ${t.and} `)).join(` ${t.or} `) ||
				t.allEvents,
		}}
	/>
);

const conditionText = ({ field, operation, value, values }: MeterCondition): string =>
	[field, t[operation], values?.join(", ") ?? value].filter((part) => part !== undefined).join(" ");

const newCondition: MeterCondition = { field: "eventName", operation: "EQUALS", value: "" };

function ChangeButton({ path, meter }: { readonly path: string; readonly meter: Meter | undefined }) {
	const { aggregation = { function: "COUNT" }, filters } = meter ?? {};
	return (
		<FormButton
			label={meter ? t.changeMeter : t.setMeter}
			kind="drawer"
			to={["PATCH", path]}
			texts={t}
			initial={{ ...aggregation, groups: filters?.map(({ conditions }) => conditions) ?? [[newCondition]] }}
			fields={[
				{ name: "function", kind: "select", label: t.aggregation, options: optionsOf(t, functions) },
				{ name: "field", kind: "text", isRequired: true, when: ({ function: how }) => how !== "COUNT" },
				{ name: "percentile", kind: "number", isRequired: true, when: ({ function: how }) => how === "PERCENTILE" },
				ConditionsField,
			]}
			action={t.save}
			body={(entered) => ({ meter: meterOf(entered) })}
			onDone={() => t.meterSet}
		/>
	);
}

function ConditionsField() {
	const { entered, set } = useForm();
	const change = (groups: Groups) => set("groups", groups);
	return <Conditions groups={entered.groups as Groups} newCondition={newCondition} onChange={change} />;
}

const meterOf = ({ function: how, field, percentile, groups }: Entered) => ({
	aggregation: {
		function: how,
		...(how !== "COUNT" && { field }),
		...(how === "PERCENTILE" && { percentile }),
	},
	filters: (groups as Groups).map((conditions) => ({ conditions })),
});
