import { useForm } from "../../kit/form";

/** A day, sent as the instant at which it begins in UTC. */
export function DayField({ name, label }: { readonly name: string; readonly label: string }) {
	const { entered, set } = useForm();
	return (
		<label className="field">
			<span className="strong">{label}</span>
			<input
				type="date"
				value={String(entered[name] ?? "").slice(0, 10)}
				onChange={({ target }) => set(name, target.value === "" ? undefined : `${target.value}T00:00:00Z`)}
			/>
		</label>
	);
}
