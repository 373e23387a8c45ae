import { useState } from "react";
import type { Meter, MeterCondition, MeterFunction } from "../../../areas/features/schema";
import { ApiError, send } from "../../api";
import { CopyAsCurl } from "../../kit/copy";
import { Dialog } from "../../kit/dialog";
import { type Entered, Form, NumberField, SelectField, TextField, useForm } from "../../kit/form";
import { useOne } from "../../kit/list";
import { Card, Empty, Facts, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/features";
import { may } from "../../session";
import { Conditions, type Groups } from "./conditions";
import { optionsOf } from "./kinds";

const functions: readonly MeterFunction[] = ["COUNT", "SUM", "MAX", "MIN", "AVG", "UNIQUE", "LATEST", "PERCENTILE"];

/** Which events count for a feature, and how. */
export function MeterCard({ path }: { readonly path: string }) {
	const meterPath = `${path}/meter`;
	const { data: meter, error, isPending, refetch } = useOne<Meter>(meterPath);
	const [isOpen, setOpen] = useState(false);
	const isMissing = error instanceof ApiError && error.status === 404;
	const change = may("CATALOG:WRITE") && (
		<button type="button" onClick={() => setOpen(true)}>
			{meter ? t.changeMeter : t.setMeter}
		</button>
	);
	return (
		<Card
			title={t.meter}
			text={t.meterText}
			actions={
				meter && (
					<>
						<CopyAsCurl path={meterPath} />
						{change}
					</>
				)
			}
		>
			{isPending && <Skeleton lines={2} />}
			{isMissing && !meter && <Empty title={t.noMeter} text={t.noMeterText} action={change} />}
			{!isMissing && <Problem error={error} retry={() => void refetch()} />}
			{meter && <MeterFacts meter={meter} />}
			<Dialog kind="drawer" title={meter ? t.changeMeter : t.setMeter} isOpen={isOpen} onClose={() => setOpen(false)}>
				<MeterForm path={path} meter={meter} onClose={() => setOpen(false)} />
			</Dialog>
		</Card>
	);
}

const MeterFacts = ({ meter: { aggregation, filters } }: { readonly meter: Meter }) => (
	<Facts
		of={[
			[t.aggregation, t[aggregation.function]],
			...(aggregation.field ? [[t.field, <code key="field">{aggregation.field}</code>] as const] : []),
			...(aggregation.percentile !== undefined ? [[t.percentile, String(aggregation.percentile)] as const] : []),
			[
				t.counts,
				filters.length === 0
					? t.allEvents
					: filters.map(({ conditions }) => conditions.map(conditionText).join(` ${t.and} `)).join(` ${t.or} `),
			],
		]}
	/>
);

const conditionText = ({ field, operation, value, values }: MeterCondition): string =>
	[field, t[operation], values?.join(", ") ?? value].filter((part) => part !== undefined).join(" ");

const newCondition: MeterCondition = { field: "eventName", operation: "EQUALS", value: "" };

function MeterForm(props: { readonly path: string; readonly meter: Meter | undefined; readonly onClose: () => void }) {
	const { path, meter, onClose } = props;
	return (
		<Form
			initial={{
				function: meter?.aggregation.function ?? "COUNT",
				field: meter?.aggregation.field,
				percentile: meter?.aggregation.percentile,
				groups: meter?.filters.map(({ conditions }) => conditions) ?? [[newCondition]],
			}}
			action={t.save}
			submit={(body) => send("PATCH", path, { meter: meterOf(body) })}
			onCancel={onClose}
			onDone={() => {
				onClose();
				toast(t.meterSet);
			}}
		>
			<MeterFields />
		</Form>
	);
}

const meterOf = ({ function: how, field, percentile, groups }: Entered) => ({
	aggregation: {
		function: how,
		...(how !== "COUNT" && { field }),
		...(how === "PERCENTILE" && { percentile }),
	},
	filters: (groups as Groups).map((conditions) => ({ conditions })),
});

function MeterFields() {
	const { entered, set } = useForm();
	return (
		<>
			<SelectField name="function" label={t.aggregation} options={optionsOf(functions)} />
			{entered.function !== "COUNT" && <TextField name="field" label={t.field} hint={t.fieldHint} isRequired />}
			{entered.function === "PERCENTILE" && <NumberField name="percentile" label={t.percentile} isRequired />}
			<Conditions
				groups={entered.groups as Groups}
				newCondition={newCondition}
				onChange={(groups) => set("groups", groups)}
			/>
		</>
	);
}
