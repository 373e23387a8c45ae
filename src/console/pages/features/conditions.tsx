import type { MeterCondition } from "../../../areas/features/schema";
import { Options } from "../../kit/forms/fields";
import { optionsOf } from "../../kit/values";
import { t } from "../../messages/features";

/** An event counts if it meets all conditions of any group. */
export type Groups = readonly (readonly MeterCondition[])[];

const operations = [
	"EQUALS",
	"NOT_EQUALS",
	"GREATER_THAN",
	"GREATER_THAN_OR_EQUAL",
	"LESS_THAN",
	"LESS_THAN_OR_EQUAL",
	"IN",
	"CONTAINS",
	"STARTS_WITH",
	"ENDS_WITH",
	"IS_NULL",
	"IS_NOT_NULL",
] as const satisfies readonly MeterCondition["operation"][];

interface ConditionsProps {
	readonly groups: Groups;
	readonly newCondition: MeterCondition;
	readonly onChange: (groups: Groups) => void;
}

export function Conditions({ groups, newCondition, onChange }: ConditionsProps) {
	const setGroup = (at: number, group: readonly MeterCondition[]) =>
		onChange(groups.flatMap((one, index) => (index !== at ? [one] : group.length > 0 ? [group] : [])));
	return (
		<fieldset className="options">
			<legend>{t.counts}</legend>
			{groups.length === 0 && <p className="quiet">{t.allEvents}</p>}
			{groups.map((group, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: equal conditions are interchangeable.
				<div key={at} className="conditions">
					{at > 0 && <p className="quiet small">{t.or}</p>}
					{group.map((condition, index) => (
						<ConditionFields
							// biome-ignore lint/suspicious/noArrayIndexKey: equal conditions are interchangeable.
							key={index}
							condition={condition}
							onChange={(next) =>
								setGroup(
									at,
									group.flatMap((one, place) => (place !== index ? [one] : next ? [next] : [])),
								)
							}
						/>
					))}
					<button
						type="button"
						className="small"
						onClick={() => setGroup(at, [...group, { ...newCondition, field: "" }])}
					>
						{t.another}
					</button>
				</div>
			))}
			<div>
				<button type="button" className="small" onClick={() => onChange([...groups, [newCondition]])}>
					{t.alternative}
				</button>
			</div>
		</fieldset>
	);
}

interface ConditionFieldsProps {
	readonly condition: MeterCondition;
	/** Undefined removes the condition. */
	readonly onChange: (condition: MeterCondition | undefined) => void;
}

function ConditionFields({ condition, onChange }: ConditionFieldsProps) {
	const { field, operation, value = "", values = [] } = condition;
	const isList = operation === "IN";
	const hasNone = operation === "IS_NULL" || operation === "IS_NOT_NULL";
	const setOperation = (text: string) => {
		const next = operations.find((one) => one === text) ?? "EQUALS";
		const isBare = next === "IS_NULL" || next === "IS_NOT_NULL";
		onChange({ field, operation: next, ...(next === "IN" ? { values: [] } : !isBare && { value }) });
	};
	return (
		<div className="condition">
			<input
				aria-label={t.conditionField}
				value={field}
				required
				onChange={({ target }) => onChange({ ...condition, field: target.value })}
			/>
			<select aria-label={t.operation} value={operation} onChange={({ target }) => setOperation(target.value)}>
				<Options of={optionsOf(t, operations)} />
			</select>
			{!hasNone && (
				<input
					aria-label={isList ? t.valuesByComma : t.value}
					placeholder={isList ? t.valuesByComma : t.value}
					value={isList ? values.join(",") : value}
					onChange={({ target }) =>
						onChange(
							isList
								? { field, operation, values: target.value.split(",").map((one) => one.trim()) }
								: { field, operation, value: target.value },
						)
					}
				/>
			)}
			<button type="button" className="bare small" onClick={() => onChange(undefined)}>
				{t.remove}
			</button>
		</div>
	);
}
