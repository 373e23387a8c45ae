import { type ReactNode, useId } from "react";
import { formatNumber } from "../../kit/format";
import { Options, PartError } from "../../kit/forms/fields";
import { t } from "../../messages/prices/prices";

interface ChooseProps {
	readonly label: string;
	readonly value: string;
	readonly isRequired?: boolean;
	readonly options: readonly { readonly value: string; readonly label: string }[];
	readonly onChange: (value: string) => void;
}

export function Choose({ label, value, isRequired = false, options, onChange }: ChooseProps) {
	const id = useId();
	return (
		<div className="labelled">
			<label htmlFor={id}>{label}</label>
			<select id={id} value={value} required={isRequired} onChange={({ target }) => onChange(target.value)}>
				<Options of={options} />
			</select>
		</div>
	);
}

interface AmountProps {
	readonly label: string;
	readonly unit?: string;
	readonly isRequired?: boolean;
	readonly value: number | undefined;
	readonly onChange: (value: number | undefined) => void;
}

export const Amount = ({ label, unit, isRequired = false, value, onChange }: AmountProps) => (
	<label className="labelled">
		<span>{label}</span>
		<span className="with-unit">
			<input
				type="number"
				min={0}
				step="any"
				required={isRequired}
				value={value ?? ""}
				onChange={({ target }) => onChange(target.value === "" ? undefined : target.valueAsNumber)}
			/>
			{unit && <span className="quiet small">{unit}</span>}
		</span>
	</label>
);

interface SliderProps {
	readonly label: string;
	readonly least: number;
	readonly most: number;
	readonly value: number;
	readonly onChange: (value: number) => void;
}

export function Slider({ label, least, most, value, onChange }: SliderProps) {
	const id = useId();
	return (
		<div className="field">
			<div className="ends">
				<label htmlFor={id} className="strong">
					{label}
				</label>
				<output htmlFor={id}>{formatNumber(value)}</output>
			</div>
			<input
				id={id}
				type="range"
				min={least}
				max={most}
				value={value}
				onChange={({ target }) => onChange(target.valueAsNumber)}
			/>
		</div>
	);
}

interface PricedProps {
	readonly legend: string;
	/** The name in the form, for the errors of the API. */
	readonly name: string;
	readonly remove: () => void;
	readonly children: ReactNode;
}

/** The fields of a price that can be removed. */
export function Priced({ legend, name, remove, children }: PricedProps) {
	return (
		<fieldset className="price">
			<legend>{legend}</legend>
			{children}
			<PartError name={name} />
			<div>
				<button type="button" className="small" onClick={remove}>
					{t.remove}
				</button>
			</div>
		</fieldset>
	);
}
