import { type ReactNode, useEffect, useState } from "react";
import { words } from "../messages/shared/words";
import { type Option, Options } from "./forms/fields";
import { Icon } from "./icons";
import type { List } from "./list";

/** The time without typing after which a search starts. */
const typingMs = 250;

export const Filters = ({ children }: { readonly children: ReactNode }) => <div className="filters">{children}</div>;

interface FilterProps {
	readonly list: List<unknown>;
	/** The query parameter of the API. */
	readonly name: string;
	readonly label: string;
}

/** Searches when the person pauses typing. */
export function Search({ list, name, label }: FilterProps) {
	const asked = list.filter(name);
	const [text, setText] = useState(asked);
	useEffect(() => {
		if (text === asked) return;
		const timer = setTimeout(() => list.setFilter(name, text.trim()), typingMs);
		return () => clearTimeout(timer);
	}, [text, asked, list, name]);
	return (
		<label className="search">
			<Icon name="search" />
			<input
				type="search"
				aria-label={label}
				placeholder={label}
				value={text}
				onChange={(event) => setText(event.target.value)}
			/>
		</label>
	);
}

/** Filters by one value or none. */
export const Choice = ({ list, name, label, options }: FilterProps & { readonly options: readonly Option[] }) => (
	<label className="choice">
		<span>{label}</span>
		<select value={list.filter(name)} onChange={(event) => list.setFilter(name, event.target.value)}>
			<option value="">{words.all}</option>
			<Options of={options} />
		</select>
	</label>
);
