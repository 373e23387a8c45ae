import { type ReactNode, useEffect, useState } from "react";
import { words } from "../messages/shared/words";
import { Icon } from "./icons";
import type { List } from "./list";

/** Our choice: what a person types within so short a time is one question. */
const typingMs = 250;

export const Filters = ({ children }: { readonly children: ReactNode }) => <div className="filters">{children}</div>;

interface FilterProps {
	readonly list: List<unknown>;
	/** Of the API's query. */
	readonly name: string;
	readonly label: string;
}

/** Asks the API once the typing pauses. */
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

export interface Option {
	readonly value: string;
	readonly label: string;
}

/** One of few values, or all. */
export const Choice = ({ list, name, label, options }: FilterProps & { readonly options: readonly Option[] }) => (
	<label className="choice">
		<span>{label}</span>
		<select value={list.filter(name)} onChange={(event) => list.setFilter(name, event.target.value)}>
			<option value="">{words.all}</option>
			{options.map(({ value, label: text }) => (
				<option key={value} value={value}>
					{text}
				</option>
			))}
		</select>
	</label>
);
