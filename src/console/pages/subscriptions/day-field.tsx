import type { ReactNode } from "react";
import { Field, useForm } from "../../kit/form";

interface DayFieldProps {
	readonly name: string;
	readonly label: string;
	readonly hint?: ReactNode;
}

/** A day, sent as the instant at which it begins in UTC. */
export function DayField(field: DayFieldProps) {
	const { entered, set } = useForm();
	const { name } = field;
	return (
		<Field {...field}>
			{(control) => (
				<input
					{...control}
					type="date"
					value={String(entered[name] ?? "").slice(0, 10)}
					onChange={({ target }) => set(name, target.value === "" ? undefined : `${target.value}T00:00:00Z`)}
				/>
			)}
		</Field>
	);
}
